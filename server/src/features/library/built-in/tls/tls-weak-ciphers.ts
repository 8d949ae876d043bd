import { entry } from '../entry.ts'

export const tlsWeakCiphers = entry({
  key: 'tls-weak-ciphers',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-326', 'CWE-327'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-01'],
  attack: ['T1557', 'T1040'],
  tags: ['tls', 'encryption'],
  rules: {
    nuclei: ['weak-cipher-suites', 'insecure-cipher-suite-detect'],
    nessus: [26928, 31705, 42873, 65821, 66848, 81606],
    testssl: [
      'cipherlist_NULL',
      'cipherlist_aNULL',
      'cipherlist_EXPORT',
      'cipherlist_LOW',
      'cipherlist_3DES_IDEA',
      'cipherlist_AVERAGE',
      'cipherlist_OBSOLETED',
      'SWEET32',
      'RC4',
      'FREAK',
      'LUCKY13',
    ],
  },
  references: [
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://ssl-config.mozilla.org/',
    'https://sweet32.info/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  guidance: [
    '- Confirm with `testssl --each-cipher HOST:PORT`, and list the weak suites in the evidence.',
    '- NULL and anonymous suites give no protection: raise the severity to high. If only CBC suites with TLS 1.2 (LUCKY13, `cipherlist_OBSOLETED`) are affected, the finding is low, since current libraries have countermeasures.',
    '- SWEET32 needs hundreds of gigabytes in one connection. Rate 3DES low where connections are short.',
    "- nuclei's `weak-cipher-suites` also reports suites whose only flaw is the lack of forward secrecy.",
  ],
  en: {
    title: 'Weak cipher suites are supported',
    summary:
      'The server accepts encrypted connections with weak methods. Under certain conditions, attackers can decrypt such connections.',
    description: [
      'At the beginning of a connection, client and server agree on a combination of cryptographic methods, the cipher suite. The server accepts suites with insufficient protection. These include suites without encryption (NULL) or without authentication (anonymous), with short keys (EXPORT, DES), and with methods that have known weaknesses (RC4, 3DES). The evidence lists them.',
    ],
    impact: [
      'Attackers who can read and change the network traffic can decrypt connections for which a weak suite is used, or insert themselves unnoticed. Current clients prefer stronger suites, so mainly old clients are at risk.',
    ],
    reproduction: ['1. Run `testssl --each-cipher HOST:PORT`.', '2. The output lists the weak suites as offered.'],
    recommendation: [
      '- Allow only suites with AES-GCM or ChaCha20-Poly1305 and with forward secrecy (ECDHE) for TLS 1.2. All suites of TLS 1.3 are suitable.',
      '- Let the server determine the order of the suites, unless it offers strong ones only.',
      '- Use the Mozilla SSL Configuration Generator ("intermediate") as a template, and check the result with testssl.',
    ],
  },
  de: {
    title: 'Schwache Cipher-Suites werden unterstützt',
    summary:
      'Der Server akzeptiert verschlüsselte Verbindungen mit schwachen Verfahren. Unter bestimmten Bedingungen können Angreifer solche Verbindungen entschlüsseln.',
    description: [
      'Zu Beginn einer Verbindung einigen sich Client und Server auf eine Kombination kryptografischer Verfahren, die Cipher-Suite. Der Server akzeptiert Suiten mit unzureichendem Schutz. Dazu gehören Suiten ohne Verschlüsselung (NULL) oder ohne Authentifizierung (anonym), mit kurzen Schlüsseln (EXPORT, DES) sowie mit Verfahren, die bekannte Schwächen haben (RC4, 3DES). Der Nachweis führt sie auf.',
    ],
    impact: [
      'Angreifer, die den Netzwerkverkehr lesen und verändern können, können Verbindungen mit einer schwachen Suite entschlüsseln oder sich unbemerkt dazwischenschalten. Aktuelle Clients bevorzugen stärkere Suiten, sodass vor allem alte Clients gefährdet sind.',
    ],
    reproduction: [
      '1. Führen Sie `testssl --each-cipher HOST:PORT` aus.',
      '2. Die Ausgabe führt die schwachen Suiten als angeboten auf.',
    ],
    recommendation: [
      '- Erlauben Sie für TLS 1.2 nur Suiten mit AES-GCM oder ChaCha20-Poly1305 und mit Forward Secrecy (ECDHE). Alle Suiten von TLS 1.3 sind geeignet.',
      '- Lassen Sie den Server die Reihenfolge der Suiten bestimmen, sofern er nicht ausschließlich starke anbietet.',
      '- Verwenden Sie den Mozilla SSL Configuration Generator („Intermediate“) als Vorlage und prüfen Sie das Ergebnis mit testssl.',
    ],
  },
})
