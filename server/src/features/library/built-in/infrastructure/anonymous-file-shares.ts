import { entry } from '../entry.ts'

export const anonymousFileShares = entry({
  key: 'anonymous-file-shares',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-284', 'CWE-306'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: [],
  attack: ['T1135', 'T1039'],
  tags: ['infrastructure', 'files'],
  rules: { nuclei: ['smb-anonymous-access', 'ftp-anonymous-login'], nessus: [10079, 11356, 26920, 42256, 42411] },
  references: [
    'https://learn.microsoft.com/en-us/windows-server/storage/file-server/enable-insecure-guest-logons-smb2-and-smb3',
    'https://man7.org/linux/man-pages/man5/exports.5.html',
    'https://cwe.mitre.org/data/definitions/284.html',
  ],
  guidance: [
    '- List the shares and files, and state whether reading and writing work. Open only a few files, enough to judge the content.',
    '- A null session that lists nothing but `IPC$` is informational on current Windows versions.',
    '- With NFS, access rights rely on user numbers that the client states: mount with the matching number before you report "not readable".',
    '- Public download areas are intended. Ask the client.',
    '- Writable shares with programs or scripts: raise integrity in the vector.',
  ],
  en: {
    title: 'File shares without authentication',
    summary:
      'Files in network shares can be read without signing in. Confidential data may be accessible to anyone on the network.',
    description: [
      'The affected systems provide files over SMB, NFS or FTP without checking user name and password. The evidence lists the shares, the type of access and examples of the files found.',
    ],
    impact: [
      'Anyone who can reach the system can read the files. Shares often contain personal data, configuration with passwords, or backups. If writing is permitted, attackers can change files or place malware that users open.',
    ],
    reproduction: [
      '1. List the shares, for example with `smbclient -N -L //HOST`, `showmount -e HOST` or an FTP client with the user `anonymous`.',
      '2. Connect to the share from the evidence without a password. The files are readable.',
    ],
    recommendation: [
      '- Require authentication for all shares, and assign rights to groups by need. Remove "Everyone", "Guest" and anonymous access.',
      '- SMB: disable the guest account and guest access (`map to guest = never` for Samba).',
      '- NFS: restrict exports to individual addresses, use `root_squash`, and Kerberos (`sec=krb5p`) for confidential data.',
      '- FTP: switch off anonymous access, or limit it to read access to a folder with public files.',
      '- Review the contents of the shares, and replace passwords and keys that were accessible.',
    ],
  },
  de: {
    title: 'Dateifreigaben ohne Authentifizierung',
    summary:
      'Dateien in Netzwerkfreigaben sind ohne Anmeldung lesbar. Vertrauliche Daten können allen im Netzwerk zugänglich sein.',
    description: [
      'Die betroffenen Systeme stellen Dateien über SMB, NFS oder FTP bereit, ohne Benutzername und Passwort zu prüfen. Der Nachweis führt die Freigaben, die Art des Zugriffs und Beispiele gefundener Dateien auf.',
    ],
    impact: [
      'Alle, die das System erreichen, können die Dateien lesen. Freigaben enthalten häufig personenbezogene Daten, Konfigurationen mit Passwörtern oder Sicherungskopien. Ist das Schreiben erlaubt, können Angreifer Dateien verändern oder Schadsoftware ablegen, die Benutzer öffnen.',
    ],
    reproduction: [
      '1. Listen Sie die Freigaben auf, zum Beispiel mit `smbclient -N -L //HOST`, `showmount -e HOST` oder einem FTP-Client mit dem Benutzer `anonymous`.',
      '2. Verbinden Sie sich ohne Passwort mit der Freigabe aus dem Nachweis. Die Dateien sind lesbar.',
    ],
    recommendation: [
      '- Verlangen Sie für alle Freigaben eine Authentifizierung und vergeben Sie Rechte bedarfsgerecht an Gruppen. Entfernen Sie „Jeder“, „Gast“ und anonymen Zugriff.',
      '- SMB: Deaktivieren Sie das Gastkonto und den Gastzugriff (bei Samba `map to guest = never`).',
      '- NFS: Beschränken Sie Exporte auf einzelne Adressen, verwenden Sie `root_squash` und für vertrauliche Daten Kerberos (`sec=krb5p`).',
      '- FTP: Schalten Sie den anonymen Zugriff ab oder beschränken Sie ihn lesend auf ein Verzeichnis mit öffentlichen Dateien.',
      '- Prüfen Sie die Inhalte der Freigaben und ersetzen Sie Passwörter und Schlüssel, die zugänglich waren.',
    ],
  },
})
