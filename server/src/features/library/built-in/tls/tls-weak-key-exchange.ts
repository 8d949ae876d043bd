import { entry } from '../entry.ts'

export const tlsWeakKeyExchange = entry({
  key: 'tls-weak-key-exchange',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cwe: ['CWE-326'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-01'],
  attack: ['T1557', 'T1040'],
  tags: ['tls', 'encryption'],
  rules: { nessus: [83738, 83875], testssl: ['LOGJAM', 'LOGJAM-common_primes', 'PFS', 'FS', 'DH_groups'] },
  references: [
    'https://weakdh.org/',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  guidance: [
    '- Separate the cases: no suite with forward secrecy (FS), Diffie-Hellman groups of 1024 bits or fewer, export groups of 512 bits (raise to medium).',
    '- A server that also offers ECDHE uses it with practically all current clients: the finding remains low.',
    '- Common primes of 2048 bits (RFC 7919 groups) are recommended, not a finding.',
  ],
  en: {
    title: 'Weak TLS key exchange',
    summary: 'The server supports key exchange methods that do not sufficiently protect recorded connections.',
    description: [
      'The key exchange determines the secret key of a connection. The server supports at least one of the following methods, as the evidence shows: Diffie-Hellman with groups of 1024 bits or fewer, or key exchange with RSA, which has no forward secrecy.',
    ],
    impact: [
      'With small groups, attackers with very large resources can calculate the key of a recorded connection. Without forward secrecy, anyone who obtains the private key of the server later, for example after an intrusion, can decrypt all connections recorded until then.',
    ],
    reproduction: [
      '1. Run `testssl --fs --logjam HOST:PORT`.',
      '2. The output shows the weak groups or the missing suites with forward secrecy.',
    ],
    recommendation: [
      '- Use key exchange with elliptic curves (ECDHE) and the curves X25519 or P-256.',
      '- Switch off finite-field Diffie-Hellman (DHE), or use the groups of RFC 7919 with at least 2048 bits.',
      '- Remove suites with RSA key exchange, whose names begin with `TLS_RSA_`. TLS 1.3 no longer contains them.',
    ],
  },
  de: {
    title: 'Schwacher Schlüsselaustausch bei verschlüsselten Verbindungen',
    summary:
      'Der Server unterstützt Verfahren zum Schlüsselaustausch, die aufgezeichnete Verbindungen nicht ausreichend schützen.',
    description: [
      'Der Schlüsselaustausch legt den geheimen Schlüssel einer Verbindung fest. Wie der Nachweis zeigt, unterstützt der Server mindestens eines der folgenden Verfahren: Diffie-Hellman mit Gruppen von höchstens 1024 Bit oder Schlüsselaustausch mit RSA, der keine Forward Secrecy bietet.',
    ],
    impact: [
      'Bei kleinen Gruppen können Angreifer mit sehr großen Ressourcen den Schlüssel einer aufgezeichneten Verbindung berechnen. Ohne Forward Secrecy kann jeder, der später den privaten Schlüssel des Servers erlangt, etwa nach einem Einbruch, alle bis dahin aufgezeichneten Verbindungen entschlüsseln.',
    ],
    reproduction: [
      '1. Führen Sie `testssl --fs --logjam HOST:PORT` aus.',
      '2. Die Ausgabe zeigt die schwachen Gruppen oder die fehlenden Suiten mit Forward Secrecy.',
    ],
    recommendation: [
      '- Verwenden Sie Schlüsselaustausch mit elliptischen Kurven (ECDHE) und den Kurven X25519 oder P-256.',
      '- Schalten Sie klassisches Diffie-Hellman (DHE) ab oder verwenden Sie die Gruppen aus RFC 7919 mit mindestens 2048 Bit.',
      '- Entfernen Sie Suiten mit RSA-Schlüsselaustausch, deren Namen mit `TLS_RSA_` beginnen. In TLS 1.3 sind sie nicht mehr enthalten.',
    ],
  },
})
