import { entry } from '../entry.ts'

export const excessiveCloudPermissions = entry({
  key: 'excessive-cloud-permissions',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-250', 'CWE-269'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: [],
  attack: ['T1078.004', 'T1098.003'],
  tags: ['cloud', 'permissions'],
  rules: { nuclei: ['iam-full-admin-privileges'] },
  references: [
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html',
    'https://learn.microsoft.com/en-us/azure/role-based-access-control/best-practices',
    'https://cloud.google.com/iam/docs/using-iam-securely',
    'https://cwe.mitre.org/data/definitions/250.html',
  ],
  guidance: [
    '- Assess the effective rights, including group policies, permission boundaries and organization policies. A broad policy can be limited elsewhere.',
    '- Look for indirect ways: changing policies, passing roles (`iam:PassRole`), changing functions or start scripts, reading secrets, creating keys for others.',
    '- State who can use the identity: an administrator role for two people with a second factor is usually intended.',
    "- Prove a path with read-only calls, or with the provider's policy simulator.",
  ],
  en: {
    title: 'Cloud identities have excessive permissions',
    summary:
      'Users, roles or service accounts can do much more than they need to. Attackers who obtain one of them can take over further parts of the environment.',
    description: [
      'The identities in the evidence have permissions that go beyond their task, such as all actions on all resources (`*`), ownership of a subscription or project, or the right to change permissions or pass on roles. With some of these, an identity can give itself any other permission.',
    ],
    impact: [
      "Attackers who obtain such an identity, for example through a leaked key, a vulnerable application or a compromised build system, can read and delete data, create resources at the organization's expense and gain a permanent foothold in the environment.",
    ],
    reproduction: [
      '1. Display the policies of the identity, for example with `aws iam list-attached-role-policies --role-name NAME`.',
      '2. They contain the permissions from the evidence.',
    ],
    recommendation: [
      '- Replace wildcards with the actions and resources that are actually used. Access reports of the provider (IAM Access Analyzer, Access Reviews, Recommender) show which ones these are.',
      '- Give each application its own identity with minimal rights.',
      '- Grant administrative rights to people only temporarily and with a second factor, for example with Privileged Identity Management.',
      '- Set upper limits for the whole organization (service control policies, Azure Policy, organization policies).',
      '- Review permissions regularly, and remove unused identities.',
    ],
  },
  de: {
    title: 'Identitäten in der Cloud haben übermäßige Berechtigungen',
    summary:
      'Benutzer, Rollen oder Dienstkonten dürfen weit mehr, als sie benötigen. Angreifer, die eine davon erlangen, können weitere Teile der Umgebung übernehmen.',
    description: [
      'Die Identitäten im Nachweis haben Berechtigungen, die über ihre Aufgabe hinausgehen, etwa alle Aktionen auf allen Ressourcen (`*`), die Rolle Owner in einer Subscription oder einem Projekt oder das Recht, Berechtigungen zu ändern oder Rollen weiterzugeben. Mit einigen davon kann sich eine Identität selbst jede weitere Berechtigung verschaffen.',
    ],
    impact: [
      'Angreifer, die eine solche Identität erlangen, zum Beispiel durch einen bekannt gewordenen Schlüssel, eine verwundbare Anwendung oder ein kompromittiertes Build-System, können Daten lesen und löschen, auf Kosten der Organisation Ressourcen anlegen und sich dauerhaft in der Umgebung festsetzen.',
    ],
    reproduction: [
      '1. Zeigen Sie die Richtlinien der Identität an, zum Beispiel mit `aws iam list-attached-role-policies --role-name NAME`.',
      '2. Sie enthalten die Berechtigungen aus dem Nachweis.',
    ],
    recommendation: [
      '- Ersetzen Sie Platzhalter durch die tatsächlich genutzten Aktionen und Ressourcen. Auswertungen des Anbieters (IAM Access Analyzer, Access Reviews, Recommender) zeigen, welche das sind.',
      '- Geben Sie jeder Anwendung eine eigene Identität mit wenigen Rechten.',
      '- Gewähren Sie Personen administrative Rechte nur zeitweise und mit zweitem Faktor, zum Beispiel mit Privileged Identity Management.',
      '- Setzen Sie Obergrenzen für die gesamte Organisation (Service Control Policies, Azure Policy, Organisationsrichtlinien).',
      '- Überprüfen Sie Berechtigungen regelmäßig und entfernen Sie ungenutzte Identitäten.',
    ],
  },
})
