import { entry } from '../entry.ts'

export const cleartextManagement = entry({
  key: 'cleartext-management',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:A/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-319'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: [],
  attack: ['T1040', 'T1557'],
  tags: ['infrastructure', 'encryption'],
  rules: { nuclei: ['telnet-detect'], nessus: [34324, 42263] },
  references: [
    'https://www.cisa.gov/resources-tools/resources/enhanced-visibility-and-hardening-guidance-communications-infrastructure',
    'https://www.openssh.com/',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  guidance: [
    '- Confirm that a sign-in is offered, and that it is not protected by TLS (FTPS, Telnet over TLS) or switched off for passwords.',
    '- An FTP server that offers only anonymous downloads of public files is not a finding here.',
    '- Raise the severity to high if the service is accessible from the internet or gives administrative rights.',
  ],
  en: {
    title: 'Unencrypted protocols for administration and file transfer',
    summary:
      'Services such as Telnet or FTP transfer passwords without encryption. Attackers on the network can read them.',
    description: [
      'The affected systems offer protocols that transfer credentials and content without encryption. The evidence lists the services.',
    ],
    impact: [
      'Attackers with access to the network can record user names and passwords, and use them to access the systems. They can also change commands and files in transit. On networks without further protection, redirecting the traffic of other devices takes little effort.',
    ],
    reproduction: [
      '1. Connect to the service, for example with `telnet HOST` or `ftp HOST`, and record the network traffic.',
      '2. Sign in with a test account. The recording contains the user name and password in clear text.',
    ],
    recommendation: [
      '- Replace Telnet with SSH, and FTP with SFTP or FTPS. Use SNMP version 3 with encryption, and HTTPS for web interfaces.',
      '- Switch off the unencrypted services. If a device offers nothing else, update or replace it.',
      '- Until then, make these services accessible only from an administration network.',
      '- Change passwords that were transferred without encryption.',
    ],
  },
  de: {
    title: 'Unverschlüsselte Protokolle für Administration und Dateiübertragung',
    summary:
      'Dienste wie Telnet oder FTP übertragen Passwörter unverschlüsselt. Angreifer im Netzwerk können sie mitlesen.',
    description: [
      'Die betroffenen Systeme bieten Protokolle an, die Anmeldedaten und Inhalte unverschlüsselt übertragen. Der Nachweis führt die Dienste auf.',
    ],
    impact: [
      'Angreifer mit Zugriff auf das Netzwerk können Benutzernamen und Passwörter aufzeichnen und sich so Zugang zu den Systemen verschaffen. Sie können außerdem Befehle und Dateien unterwegs verändern. In Netzwerken ohne weiteren Schutz lässt sich der Verkehr anderer Geräte mit geringem Aufwand umleiten.',
    ],
    reproduction: [
      '1. Verbinden Sie sich mit dem Dienst, zum Beispiel mit `telnet HOST` oder `ftp HOST`, und zeichnen Sie den Netzwerkverkehr auf.',
      '2. Melden Sie sich mit einem Testkonto an. Die Aufzeichnung enthält Benutzername und Passwort im Klartext.',
    ],
    recommendation: [
      '- Ersetzen Sie Telnet durch SSH und FTP durch SFTP oder FTPS. Verwenden Sie SNMP in Version 3 mit Verschlüsselung und HTTPS für Weboberflächen.',
      '- Schalten Sie die unverschlüsselten Dienste ab. Bietet ein Gerät nichts anderes an, aktualisieren oder ersetzen Sie es.',
      '- Machen Sie diese Dienste bis dahin nur aus einem Administrationsnetz zugänglich.',
      '- Ändern Sie Passwörter, die unverschlüsselt übertragen wurden.',
    ],
  },
})
