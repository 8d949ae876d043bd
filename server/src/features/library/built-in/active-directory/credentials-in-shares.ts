import { entry } from '../entry.ts'

export const credentialsInShares = entry({
  key: 'credentials-in-shares',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-256', 'CWE-522'],
  owasp: ['A04:2021', 'A06:2025'],
  wstg: [],
  attack: ['T1552.001', 'T1552.006', 'T1039'],
  tags: ['active-directory', 'files', 'passwords'],
  rules: {},
  references: [
    'https://attack.mitre.org/techniques/T1552/001/',
    'https://learn.microsoft.com/en-us/security-updates/securitybulletins/2014/ms14-025',
    'https://github.com/SnaffCon/Snaffler',
    'https://cwe.mitre.org/data/definitions/256.html',
  ],
  guidance: [
    '- Search with Snaffler or by hand with an ordinary account: SYSVOL (scripts, `Groups.xml` with `cpassword`), deployment shares, backups, descriptions of accounts in the directory.',
    '- Test each agreed password only once, and report valid administrative ones immediately.',
    '- Old passwords that no longer work are still a finding, with a lower severity: the practice is the root cause.',
    '- Mask passwords in the evidence, and do not copy whole files.',
  ],
  en: {
    title: 'Passwords in network shares and in the directory',
    summary:
      'Files and fields that all domain users can read contain passwords. Attackers can use them to obtain more rights.',
    description: [
      'Passwords are stored in places that every domain user can read, for example in scripts, configuration files, Group Policy Preferences, documents, or in the description of an account. The evidence lists the places and the affected accounts. Passwords in Group Policy Preferences are encrypted, but Microsoft has published the key.',
    ],
    impact: [
      'An attacker with any domain account can use the passwords and gains the rights of the affected accounts. If one of them belongs to an administrator or a service, this can give control of servers or of the whole domain.',
    ],
    reproduction: [
      '1. Sign in with an ordinary domain account.',
      '2. Open the file or the field from the evidence. It contains the password.',
    ],
    recommendation: [
      '- Change all passwords that were found, and remove them from the files. Removal without a change is not enough: older versions and backups still contain them.',
      '- Delete passwords from Group Policy Preferences (MS14-025), and use Windows LAPS for local accounts.',
      '- Run scripts and services with managed service accounts, or let them fetch passwords from a protected store.',
      '- Restrict shares to the groups that need them.',
      '- Search shares and SYSVOL for passwords regularly, and provide a password manager for teams.',
    ],
  },
  de: {
    title: 'Passwörter in Netzwerkfreigaben und im Verzeichnis',
    summary:
      'Dateien und Felder, die alle Benutzer der Domäne lesen können, enthalten Passwörter. Angreifer können damit ihre Rechte ausweiten.',
    description: [
      'Passwörter sind an Stellen gespeichert, die jeder Benutzer der Domäne lesen kann, zum Beispiel in Skripten, Konfigurationsdateien, Gruppenrichtlinieneinstellungen (Group Policy Preferences), Dokumenten oder in der Beschreibung eines Kontos. Der Nachweis führt die Fundstellen und betroffenen Konten auf. Passwörter in Gruppenrichtlinieneinstellungen sind zwar verschlüsselt, Microsoft hat den Schlüssel jedoch veröffentlicht.',
    ],
    impact: [
      'Ein Angreifer mit einem beliebigen Domänenkonto kann die Passwörter verwenden und erhält die Rechte der betroffenen Konten. Handelt es sich um ein Administrator- oder Dienstkonto, kann das zur Kontrolle über Server oder die Domäne führen.',
    ],
    reproduction: [
      '1. Melden Sie sich mit einem gewöhnlichen Domänenkonto an.',
      '2. Öffnen Sie die Datei oder das Feld aus dem Nachweis. Sie enthalten das Passwort.',
    ],
    recommendation: [
      '- Ändern Sie alle gefundenen Passwörter und entfernen Sie sie aus den Dateien. Das Entfernen genügt nicht, denn ältere Versionen und Sicherungen enthalten sie weiterhin.',
      '- Löschen Sie Passwörter aus Gruppenrichtlinieneinstellungen (MS14-025) und verwenden Sie für lokale Konten Windows LAPS.',
      '- Betreiben Sie Skripte und Dienste mit verwalteten Dienstkonten oder lassen Sie sie Passwörter aus einem geschützten Speicher abrufen.',
      '- Beschränken Sie Freigaben auf die Gruppen, die sie benötigen.',
      '- Durchsuchen Sie Freigaben und SYSVOL regelmäßig nach Passwörtern und stellen Sie Teams einen Passwortmanager bereit.',
    ],
  },
})
