import { entry } from '../entry.ts'

export const excessiveAdPermissions = entry({
  key: 'excessive-ad-permissions',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-732', 'CWE-269'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: [],
  attack: ['T1098', 'T1003.006', 'T1222.001'],
  tags: ['active-directory', 'permissions'],
  rules: {},
  references: [
    'https://learn.microsoft.com/en-us/security/privileged-access-workstations/privileged-access-access-model',
    'https://learn.microsoft.com/en-us/windows-server/identity/ad-ds/plan/security-best-practices/best-practices-for-securing-active-directory',
    'https://bloodhound.specterops.io/',
    'https://cwe.mitre.org/data/definitions/732.html',
  ],
  guidance: [
    '- Report the shortest paths to privileged groups, not the whole graph. Begin with accounts that attackers can reach easily: ordinary users, the service desk, workstations.',
    '- Check each edge by hand: collected data can be outdated, and inherited rights may be blocked (AdminSDHolder).',
    '- Prove a path on agreed objects, undo every change, and note it (group membership, password, attribute).',
    '- Count members of privileged groups, and accounts with the right to replicate the directory (DCSync).',
  ],
  en: {
    title: 'Excessive permissions in Active Directory',
    summary:
      'Accounts and groups have rights that let them take over privileged accounts. Attackers can gain control of the domain in several steps.',
    description: [
      'Each object in Active Directory has its own permissions. Over time, accounts and groups have received rights that they do not need, for example to reset passwords, change group memberships, write attributes or replicate the directory. Combined, these rights form paths from ordinary accounts to privileged ones. The evidence shows the paths.',
    ],
    impact: [
      'An attacker who controls an account at the beginning of such a path can follow it to a domain administrator account, and then controls all systems and data in it.',
    ],
    reproduction: [
      '1. Read the permissions with an ordinary account, for example with BloodHound or `Get-Acl "AD:DN_OF_OBJECT"`.',
      '2. The object from the evidence grants the named rights to an account or group that must not have them.',
    ],
    recommendation: [
      '- Remove the rights from the evidence, beginning with the shortest paths to privileged groups, and replace them with narrow delegations where needed.',
      '- Reduce the members of privileged groups to the necessary minimum. Only domain controllers and the intended administrators may replicate the directory.',
      '- Introduce tiers: domain administrators sign in only to domain controllers and dedicated workstations, never to servers or workstations of users.',
      '- Set the owner of objects to Domain Admins, and check permissions of AdminSDHolder, organizational units and group policies.',
      '- Repeat the analysis regularly, for example each quarter, and monitor changes to privileged groups.',
    ],
  },
  de: {
    title: 'Übermäßige Berechtigungen in Active Directory',
    summary:
      'Konten und Gruppen haben Rechte, mit denen sie privilegierte Konten übernehmen können. Angreifer können über mehrere Schritte die Kontrolle über die Domäne erlangen.',
    description: [
      'Objekte in Active Directory haben eigene Berechtigungen. Mit der Zeit haben Konten und Gruppen Rechte erhalten, die sie nicht benötigen, zum Beispiel um Passwörter zurückzusetzen, Gruppenmitgliedschaften zu ändern, Attribute zu schreiben oder das Verzeichnis zu replizieren. Zusammengenommen bilden diese Rechte Pfade von gewöhnlichen zu privilegierten Konten. Der Nachweis zeigt die Pfade.',
    ],
    impact: [
      'Ein Angreifer, der ein Konto am Anfang eines solchen Pfads kontrolliert, kann ihm bis zu den Domänenadministratoren folgen und damit alle Systeme und Daten darin kontrollieren.',
    ],
    reproduction: [
      '1. Lesen Sie die Berechtigungen mit einem gewöhnlichen Konto aus, zum Beispiel mit BloodHound oder `Get-Acl "AD:DN_DES_OBJEKTS"`.',
      '2. Das Objekt aus dem Nachweis gewährt die genannten Rechte einem Konto oder einer Gruppe, die sie nicht haben darf.',
    ],
    recommendation: [
      '- Entfernen Sie die Rechte aus dem Nachweis, beginnend mit den kürzesten Pfaden zu privilegierten Gruppen, und ersetzen Sie sie bei Bedarf durch eng gefasste Delegierungen.',
      '- Verringern Sie die Zahl der Mitglieder privilegierter Gruppen auf das notwendige Minimum. Nur Domänencontroller und die dafür vorgesehenen Administratoren dürfen das Verzeichnis replizieren.',
      '- Führen Sie Ebenen (Tiering) ein: Domänenadministratoren melden sich nur an Domänencontrollern und eigenen Arbeitsstationen an, niemals an Servern oder Arbeitsplätzen von Benutzern.',
      '- Setzen Sie die Domänen-Admins als Besitzer von Objekten ein und prüfen Sie die Berechtigungen von AdminSDHolder, Organisationseinheiten und Gruppenrichtlinien.',
      '- Wiederholen Sie die Analyse regelmäßig, zum Beispiel vierteljährlich, und überwachen Sie Änderungen an privilegierten Gruppen.',
    ],
  },
})
