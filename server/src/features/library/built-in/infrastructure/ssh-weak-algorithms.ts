import { entry } from '../entry.ts'

export const sshWeakAlgorithms = entry({
  key: 'ssh-weak-algorithms',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cwe: ['CWE-327'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: [],
  attack: ['T1557'],
  tags: ['infrastructure', 'ssh', 'encryption'],
  rules: {
    nuclei: [
      'ssh-cbc-mode-ciphers',
      'ssh-diffie-hellman-logjam',
      'ssh-sha1-hmac-algo',
      'ssh-weak-algo-supported',
      'ssh-weak-mac-algo',
      'ssh-weak-public-key',
      'ssh-weakkey-exchange-algo',
    ],
    nessus: [70658, 71049, 90317, 153953],
  },
  references: [
    'https://www.rfc-editor.org/rfc/rfc9142',
    'https://www.ssh-audit.com/hardening_guides.html',
    'https://man.openbsd.org/sshd_config',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  guidance: [
    '- Confirm with `ssh-audit HOST` or `nmap --script ssh2-enum-algos`.',
    "- The client's first method that the server supports is used: weak ones matter only for old clients, since SSH detects interference with the negotiation. The finding is low.",
    '- RC4 (`arcfour`), DES and SSH protocol 1 are worse: raise to medium.',
    '- Network devices may support nothing better until a firmware update.',
  ],
  en: {
    title: 'SSH server supports weak algorithms',
    summary: 'The SSH server offers cryptographic methods that are regarded as outdated.',
    description: [
      'At the beginning of a connection, client and server agree on methods for key exchange, encryption, integrity and signatures. The server offers methods that are no longer recommended, for example key exchange with SHA-1 or groups of 1024 bits, encryption in CBC mode, or checksums with MD5. The evidence lists them.',
    ],
    impact: [
      'If a client uses a weak method, attackers who can record or change the network traffic are more likely to be able to read parts of the connection. A practical attack requires considerable effort or special conditions.',
    ],
    reproduction: ['1. Run `ssh-audit HOST`.', '2. The output marks the weak methods.'],
    recommendation: [
      '- Update the SSH server. Current versions of OpenSSH no longer offer most of these methods by default.',
      '- Limit the methods in the configuration (`KexAlgorithms`, `Ciphers`, `MACs`, `HostKeyAlgorithms`) to current ones, for example `mlkem768x25519-sha256`, `curve25519-sha256`, `aes256-gcm@openssh.com` and `hmac-sha2-256-etm@openssh.com`. The ssh-audit hardening guides contain complete settings.',
      '- Keep a session open while you change the configuration, and check that all required clients can still connect.',
    ],
  },
  de: {
    title: 'SSH-Server unterstützt schwache Verfahren',
    summary: 'Der SSH-Server bietet kryptografische Verfahren an, die als veraltet gelten.',
    description: [
      'Zu Beginn einer Verbindung einigen sich Client und Server auf Verfahren für Schlüsselaustausch, Verschlüsselung, Integrität und Signaturen. Der Server bietet Verfahren an, die nicht mehr empfohlen werden, zum Beispiel Schlüsselaustausch mit SHA-1 oder Gruppen von 1024 Bit, Verschlüsselung im CBC-Modus oder Integritätsprüfung mit MD5. Der Nachweis führt sie auf.',
    ],
    impact: [
      'Nutzt ein Client ein schwaches Verfahren, haben Angreifer, die den Netzwerkverkehr aufzeichnen oder verändern können, bessere Chancen, Teile der Verbindung zu lesen. Ein praktischer Angriff erfordert erheblichen Aufwand oder besondere Bedingungen.',
    ],
    reproduction: ['1. Führen Sie `ssh-audit HOST` aus.', '2. Die Ausgabe kennzeichnet die schwachen Verfahren.'],
    recommendation: [
      '- Aktualisieren Sie den SSH-Server. Aktuelle Versionen von OpenSSH bieten die meisten dieser Verfahren standardmäßig nicht mehr an.',
      '- Beschränken Sie die Verfahren in der Konfiguration (`KexAlgorithms`, `Ciphers`, `MACs`, `HostKeyAlgorithms`) auf aktuelle, zum Beispiel `mlkem768x25519-sha256`, `curve25519-sha256`, `aes256-gcm@openssh.com` und `hmac-sha2-256-etm@openssh.com`. Die Härtungsanleitungen von ssh-audit enthalten vollständige Einstellungen.',
      '- Halten Sie beim Ändern der Konfiguration eine Sitzung offen und prüfen Sie, ob sich alle benötigten Clients noch verbinden können.',
    ],
  },
})
