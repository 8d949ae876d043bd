import { entry } from '../entry.ts'

export const cleartextTransmission = entry({
  key: 'cleartext-transmission',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-319'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-03', 'WSTG-ATHN-01'],
  attack: ['T1040', 'T1557'],
  tags: ['tls', 'web', 'encryption'],
  rules: {
    nessus: [26194, 34850],
    burp: [0x00300100, 0x01000200, 0x01000400],
    zap: ['10040', '10041', '10042', '10105', '10106'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://letsencrypt.org/getting-started/',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  guidance: [
    '- Confirm that confidential data is transferred: record the request and show the password or session in clear text, masked.',
    '- A port 80 that only redirects to HTTPS is correct and not a finding.',
    '- Public pages without sign-in are low. Use low for internal networks with controlled access too.',
    '- Mixed content: browsers block scripts and upgrade images themselves. Report only what is still sent unencrypted.',
  ],
  en: {
    title: 'Confidential data is transferred without encryption',
    summary:
      'The application uses unencrypted HTTP connections. Attackers on the network can read and change the data.',
    description: [
      'The affected addresses are accessible over HTTP without encryption and transfer confidential data there, for example passwords, sessions or personal data, as the evidence shows.',
    ],
    impact: [
      'Attackers with access to the network between user and server, for example on a Wi-Fi network, on the network of the provider or on the internal network, can read passwords and sessions, act as the user and change content in transit.',
    ],
    reproduction: [
      '1. Record the network traffic, for example with Wireshark, while you use the affected function.',
      '2. The recording contains the data in clear text.',
    ],
    recommendation: [
      '- Provide the application over HTTPS only, with a trusted certificate.',
      '- Redirect HTTP to HTTPS permanently (status 301 or 308), and enforce HTTPS with HSTS.',
      '- Set the attribute `Secure` for all session cookies.',
      '- Change addresses in pages and configurations to `https://`, including those of embedded content and interfaces.',
      '- Encrypt connections between proxy and application as well if they leave the host or a protected network segment.',
    ],
  },
  de: {
    title: 'Vertrauliche Daten werden unverschlüsselt übertragen',
    summary:
      'Die Anwendung nutzt unverschlüsselte HTTP-Verbindungen. Angreifer im Netzwerk können die Daten lesen und verändern.',
    description: [
      'Die betroffenen Adressen sind ohne Verschlüsselung über HTTP erreichbar und übertragen dort vertrauliche Daten, zum Beispiel Passwörter, Sitzungen oder personenbezogene Daten, wie der Nachweis zeigt.',
    ],
    impact: [
      'Angreifer mit Zugriff auf das Netzwerk zwischen Benutzer und Server, etwa in einem WLAN, im Netz des Providers oder im internen Netz, können Passwörter und Sitzungen mitlesen, im Namen des Benutzers handeln und Inhalte unterwegs verändern.',
    ],
    reproduction: [
      '1. Zeichnen Sie den Netzwerkverkehr auf, zum Beispiel mit Wireshark, während Sie die betroffene Funktion nutzen.',
      '2. Die Aufzeichnung enthält die Daten im Klartext.',
    ],
    recommendation: [
      '- Stellen Sie die Anwendung ausschließlich über HTTPS mit einem vertrauenswürdigen Zertifikat bereit.',
      '- Leiten Sie HTTP dauerhaft auf HTTPS um (Status 301 oder 308) und erzwingen Sie HTTPS mit HSTS.',
      '- Setzen Sie für alle Sitzungscookies das Attribut `Secure`.',
      '- Stellen Sie Adressen in Seiten und Konfigurationen auf `https://` um, auch die eingebetteter Inhalte und Schnittstellen.',
      '- Verschlüsseln Sie auch Verbindungen zwischen Proxy und Anwendung, wenn sie den Host oder ein geschütztes Segment verlassen.',
    ],
  },
})
