import { entry } from '../entry.ts'

export const tlsLibraryFlaws = entry({
  key: 'tls-library-flaws',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-1395'],
  owasp: ['A06:2021', 'A03:2025'],
  wstg: ['WSTG-CRYP-01'],
  attack: ['T1190'],
  tags: ['tls', 'updates'],
  rules: {
    nuclei: ['CVE-2014-0160'],
    nessus: [73412, 74326, 105415],
    zap: ['10034', '20015'],
    testssl: ['heartbleed', 'CCS', 'ticketbleed', 'ROBOT', 'winshock', 'secure_renego'],
  },
  references: [
    'https://heartbleed.com/',
    'https://robotattack.org/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/1395.html',
  ],
  guidance: [
    '- Confirm with a second tool (`testssl --vulnerable`, `nmap --script ssl-heartbleed`). For Heartbleed, read only once, and delete what was read: it can contain user data.',
    '- ROBOT results can vary with load and proxies. Repeat the test.',
    '- Adapt the vector to the flaw: Heartbleed 7.5, ROBOT 5.9, ChangeCipherSpec injection 7.4.',
    '- Devices often contain an old library for which only a firmware update helps. Name the device.',
  ],
  en: {
    title: 'TLS implementation with known vulnerabilities',
    summary:
      'The server uses an outdated library for encrypted connections. Attackers can exploit its published vulnerabilities.',
    description: [
      'The implementation of TLS that the server uses has one or more publicly known vulnerabilities, which the evidence names. Examples are Heartbleed and Ticketbleed (memory disclosure), ChangeCipherSpec injection (interception of connections) and ROBOT (decryption of recorded connections with RSA key exchange).',
    ],
    impact: [
      'Depending on the vulnerability, attackers can read the memory of the server including private keys, sessions and passwords, or decrypt connections. Tools for these attacks are publicly available.',
    ],
    reproduction: [
      '1. Run `testssl --vulnerable HOST:PORT`.',
      '2. The output names the vulnerability from the evidence.',
    ],
    recommendation: [
      '- Update the TLS library and restart all services that use it. Install the current firmware on devices and appliances.',
      '- Switch off suites with RSA key exchange (`TLS_RSA_`) to exclude ROBOT.',
      '- If memory could be read (Heartbleed, Ticketbleed): replace private keys and certificates after the update, revoke the old ones, end all sessions and have passwords changed.',
      '- Include the affected systems in regular update management.',
    ],
  },
  de: {
    title: 'TLS-Implementierung mit bekannten Schwachstellen',
    summary:
      'Der Server verwendet eine veraltete Bibliothek für verschlüsselte Verbindungen. Angreifer können deren veröffentlichte Schwachstellen ausnutzen.',
    description: [
      'Die vom Server verwendete TLS-Implementierung weist eine oder mehrere öffentlich bekannte Schwachstellen auf, die der Nachweis nennt. Beispiele sind Heartbleed (Auslesen von Speicher), ChangeCipherSpec Injection (Einschleusen in Verbindungen), Ticketbleed (Auslesen von Speicher) und ROBOT (Entschlüsseln aufgezeichneter Verbindungen mit RSA-Schlüsselaustausch).',
    ],
    impact: [
      'Je nach Schwachstelle können Angreifer den Speicher des Servers samt privaten Schlüsseln, Sitzungen und Passwörtern auslesen oder Verbindungen entschlüsseln. Werkzeuge für diese Angriffe sind frei verfügbar.',
    ],
    reproduction: [
      '1. Führen Sie `testssl --vulnerable HOST:PORT` aus.',
      '2. Die Ausgabe nennt die Schwachstelle aus dem Nachweis.',
    ],
    recommendation: [
      '- Aktualisieren Sie die TLS-Bibliothek und starten Sie alle Dienste neu, die sie verwenden. Installieren Sie auf Geräten und Appliances die aktuelle Firmware.',
      '- Schalten Sie Suiten mit RSA-Schlüsselaustausch (`TLS_RSA_`) ab, um ROBOT auszuschließen.',
      '- Konnte Speicher ausgelesen werden (Heartbleed, Ticketbleed), ersetzen Sie nach dem Update private Schlüssel und Zertifikate, sperren Sie die alten, beenden Sie alle Sitzungen und lassen Sie Passwörter ändern.',
      '- Nehmen Sie die betroffenen Systeme in das regelmäßige Update-Management auf.',
    ],
  },
})
