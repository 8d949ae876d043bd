import { entry } from '../../entry.ts'

export const exposedFiles = entry({
  key: 'exposed-files',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-538'],
  owasp: ['A01:2021', 'A05:2021', 'A01:2025', 'A02:2025'],
  wstg: ['WSTG-CONF-04', 'WSTG-CONF-03'],
  attack: ['T1552.001', 'T1594'],
  tags: ['web', 'files', 'secrets'],
  rules: {
    nuclei: ['git-config', 'generic-env', 'php-backup-files', 'zip-backup-files', 'sql-dump', 'ds-store-file'],
    burp: [0x006000b0, 0x006000d8],
    zap: ['41', '42', '10095', '40032', '40034', '40035'],
  },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  guidance: [
    '- Open the file: applications that answer every address with status 200 and their home page cause many false positives.',
    '- `.env.example`, empty files and files with placeholders are informational.',
    '- If only `.git/config` was reported, check whether `.git/HEAD`, `index` and objects are accessible too. Recover only what you need to prove the impact.',
    '- Report passwords and keys that you find to the client immediately, and state whether you tried them. Mask them in the evidence.',
    '- Adapt the severity to the content: from low (`.DS_Store`) to critical (working database credentials).',
  ],
  en: {
    title: 'Confidential files are publicly accessible',
    summary:
      'The web server delivers files that are not intended for the public, such as source code, configuration or backups.',
    description: [
      "Files that are not part of the application's public content are in folders that the web server delivers. The evidence lists them. Anyone who knows or guesses the name can download them. Attackers use lists of common names and automated tools for this.",
    ],
    impact: [
      'Such files often contain passwords, keys, personal data or source code. Attackers can use them to sign in to further systems or to find vulnerabilities in the application.',
    ],
    reproduction: [
      '1. Open the affected address in a browser without signing in.',
      '2. The web server delivers the content of the file.',
    ],
    recommendation: [
      '- Remove the files from the web server.',
      '- Replace all passwords, keys and tokens in them. Treat them as compromised, even if the logs show no access.',
      '- Deliver only a dedicated folder with public files, and deploy built artefacts instead of a working copy of the version control system.',
      '- Block names that begin with a dot, and extensions such as `.bak`, `.old`, `.sql`, `.zip` and `~`, in the configuration of the web server. Leave `/.well-known/` accessible.',
      '- Check the logs of the web server for earlier downloads.',
    ],
  },
  de: {
    title: 'Vertrauliche Dateien sind öffentlich abrufbar',
    summary:
      'Der Webserver liefert Dateien aus, die nicht für die Öffentlichkeit bestimmt sind, etwa Quellcode, Konfiguration oder Sicherungskopien.',
    description: [
      'In Verzeichnissen, die der Webserver ausliefert, liegen Dateien, die nicht zum öffentlichen Inhalt der Anwendung gehören. Der Nachweis führt sie auf. Alle, die den Namen kennen oder erraten, können sie herunterladen. Angreifer nutzen dafür Listen gängiger Namen und automatische Programme.',
    ],
    impact: [
      'Solche Dateien enthalten häufig Passwörter, Schlüssel, personenbezogene Daten oder Quellcode. Angreifer können sich damit an weiteren Systemen anmelden oder Schwachstellen der Anwendung finden.',
    ],
    reproduction: [
      '1. Öffnen Sie die betroffene Adresse ohne Anmeldung in einem Browser.',
      '2. Der Webserver liefert den Inhalt der Datei aus.',
    ],
    recommendation: [
      '- Entfernen Sie die Dateien vom Webserver.',
      '- Ersetzen Sie alle darin enthaltenen Passwörter, Schlüssel und Token. Sie müssen als bekannt gelten, auch wenn in den Protokollen kein Zugriff zu sehen ist.',
      '- Liefern Sie nur ein eigenes Verzeichnis mit öffentlichen Dateien aus und verteilen Sie gebaute Artefakte statt einer Arbeitskopie der Versionsverwaltung.',
      '- Sperren Sie in der Konfiguration des Webservers Namen, die mit einem Punkt beginnen, und Endungen wie `.bak`, `.old`, `.sql`, `.zip` und `~`. Lassen Sie `/.well-known/` zugänglich.',
      '- Prüfen Sie die Protokolle des Webservers auf frühere Abrufe.',
    ],
  },
})
