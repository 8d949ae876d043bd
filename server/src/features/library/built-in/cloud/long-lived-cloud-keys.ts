import { entry } from '../entry.ts'

export const longLivedCloudKeys = entry({
  key: 'long-lived-cloud-keys',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-262'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1078.004', 'T1552'],
  tags: ['cloud', 'secrets', 'keys'],
  rules: { nuclei: ['iam-key-rotation-90days'] },
  references: [
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    'https://cloud.google.com/iam/docs/best-practices-for-managing-service-account-keys',
    'https://learn.microsoft.com/en-us/entra/workload-id/workload-identity-federation',
    'https://cwe.mitre.org/data/definitions/262.html',
  ],
  guidance: [
    '- List keys with age and last use (`aws iam generate-credential-report`). Unused keys are the easiest to fix.',
    '- Keys that were found in code, images or build logs are a separate finding: report them immediately.',
    '- Access keys of the root user are high, regardless of their age.',
    '- A key that external software without federation requires can be acceptable if it is narrow and rotated.',
  ],
  en: {
    title: 'Long-lived cloud access keys',
    summary:
      'The cloud environment uses access keys that do not expire. A leaked key can be misused without being noticed.',
    description: [
      'The affected users or service accounts have access keys that do not expire and have not been replaced for a long time. The evidence shows their age and last use. Such keys are stored in configurations, on computers and in build systems, and work without a second factor.',
    ],
    impact: [
      'Keys leak through code repositories, logs, backups and malware. Attackers can use them from anywhere, with all rights of the identity, until someone notices.',
    ],
    reproduction: [
      '1. List the keys, for example with `aws iam list-access-keys --user-name NAME`.',
      '2. The date of creation shows that the keys have not been replaced for the period that the evidence states.',
    ],
    recommendation: [
      '- Delete unused keys, and all keys of the root user.',
      '- Use short-lived credentials instead of keys: roles for instances, functions and containers, federation (OpenID Connect) for build systems, and single sign-on for people.',
      '- Where keys are indispensable, limit their rights and source addresses, store them in a secrets manager, and replace them automatically, for example every 90 days.',
      '- Search code and build systems for keys, and switch on notifications of the provider for leaked keys.',
    ],
  },
  de: {
    title: 'Unbegrenzt gültige Zugriffsschlüssel',
    summary:
      'Für die Cloud-Umgebung werden langlebige Zugriffsschlüssel genutzt. Ein bekannt gewordener Schlüssel lässt sich unbemerkt missbrauchen.',
    description: [
      'Die betroffenen Benutzer oder Dienstkonten haben Zugriffsschlüssel, die nicht ablaufen und seit Langem nicht ersetzt wurden. Der Nachweis zeigt Alter und letzte Verwendung. Solche Schlüssel liegen in Konfigurationen, auf Rechnern und in Build-Systemen und funktionieren ohne zweiten Faktor.',
    ],
    impact: [
      'Schlüssel werden durch Code-Repositorys, Protokolle, Sicherungen und Schadsoftware bekannt. Angreifer können sie mit allen Rechten der Identität von überall verwenden, bis es jemand bemerkt.',
    ],
    reproduction: [
      '1. Listen Sie die Schlüssel auf, zum Beispiel mit `aws iam list-access-keys --user-name NAME`.',
      '2. Das Erstellungsdatum zeigt, dass die Schlüssel im angegebenen Zeitraum nicht ersetzt wurden.',
    ],
    recommendation: [
      '- Löschen Sie ungenutzte Schlüssel und alle Schlüssel des Root-Benutzers.',
      '- Verwenden Sie statt Schlüsseln kurzlebige Zugangsdaten: Rollen für Instanzen, Funktionen und Container, Föderation (OpenID Connect) für Build-Systeme und Single Sign-on für Personen.',
      '- Wo Schlüssel unverzichtbar sind, beschränken Sie Rechte und Quelladressen, legen Sie sie in einem Secrets Manager ab und ersetzen Sie sie automatisch, zum Beispiel alle 90 Tage.',
      '- Durchsuchen Sie Code und Build-Systeme nach Schlüsseln und schalten Sie Benachrichtigungen des Anbieters über bekannt gewordene Schlüssel ein.',
    ],
  },
})
