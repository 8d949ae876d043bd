import { entry } from '../entry.ts'

export const snmpDefaultCommunity = entry({
  key: 'snmp-default-community',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-1392'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1602.001'],
  tags: ['infrastructure', 'snmp', 'passwords'],
  rules: { nessus: [10264, 41028] },
  references: [
    'https://www.cisa.gov/news-events/alerts/2017/06/05/reducing-risk-snmp-abuse',
    'https://www.rfc-editor.org/rfc/rfc3414',
    'https://cwe.mitre.org/data/definitions/1392.html',
  ],
  guidance: [
    '- Confirm with `snmpwalk -v2c -c public HOST system`. Do not read the whole tree of sensitive devices, which may overload them.',
    '- Check for write access only after consent, by writing back the current value (`sysContact`). With write access, the finding is critical.',
    '- Some printers and UPS devices reveal only a few values: medium or low.',
    '- Windows systems can reveal user names, processes with parameters, and software. State in the evidence what was found.',
  ],
  en: {
    title: 'SNMP with a default community string',
    summary:
      'Devices can be queried over SNMP with a well-known community string. Attackers learn details of the devices and the network.',
    description: [
      'The Simple Network Management Protocol (SNMP) is used to monitor and manage devices. In versions 1 and 2c, a community string serves as the password and is transferred without encryption. The affected devices accept a default string set by vendors, such as `public`.',
    ],
    impact: [
      'Attackers can read the configuration of the devices: interfaces, routes, neighbours, running programs, user names and, in some cases, passwords. If the string also permits writing, they can change the configuration, redirect traffic or switch off devices.',
    ],
    reproduction: [
      '1. Run `snmpwalk -v2c -c public HOST system`, with the string from the evidence.',
      '2. The device returns its system data.',
    ],
    recommendation: [
      '- Switch off SNMP where it is not used.',
      '- Use SNMP version 3 with authentication and encryption (`authPriv`, SHA-2 and AES).',
      '- If only version 2c is available, use a long random string, allow read access only, and restrict access to the addresses of the monitoring systems.',
      '- Change passwords that could be read over SNMP.',
    ],
  },
  de: {
    title: 'SNMP mit voreingestelltem Community-String',
    summary:
      'Geräte lassen sich über SNMP mit einem allgemein bekannten Community-String abfragen. Angreifer erhalten Details zu Geräten und Netzwerk.',
    description: [
      'Das Simple Network Management Protocol (SNMP) dient der Überwachung und Verwaltung von Geräten. In den Versionen 1 und 2c wird ein Community-String als Passwort verwendet und unverschlüsselt übertragen. Die betroffenen Geräte akzeptieren einen vom Hersteller voreingestellten String wie `public`.',
    ],
    impact: [
      'Angreifer können die Konfiguration der Geräte auslesen: Schnittstellen, Routen, Nachbarn, laufende Programme, Benutzernamen und in manchen Fällen Passwörter. Erlaubt der String auch das Schreiben, können sie die Konfiguration ändern, Verkehr umleiten oder Geräte abschalten.',
    ],
    reproduction: [
      '1. Führen Sie `snmpwalk -v2c -c public HOST system` mit dem String aus dem Nachweis aus.',
      '2. Das Gerät liefert seine Systemdaten.',
    ],
    recommendation: [
      '- Schalten Sie SNMP ab, wo es nicht genutzt wird.',
      '- Verwenden Sie SNMP in Version 3 mit Authentifizierung und Verschlüsselung (`authPriv`, SHA-2 und AES).',
      '- Ist nur Version 2c verfügbar, verwenden Sie einen langen zufälligen String, erlauben Sie nur das Lesen und beschränken Sie den Zugriff auf die Adressen der Überwachungssysteme.',
      '- Ändern Sie Passwörter, die über SNMP auslesbar waren.',
    ],
  },
})
