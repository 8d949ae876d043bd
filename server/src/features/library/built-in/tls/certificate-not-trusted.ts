import { entry } from '../entry.ts'

export const certificateNotTrusted = entry({
  key: 'certificate-not-trusted',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  cwe: ['CWE-295', 'CWE-297'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-01'],
  attack: ['T1557'],
  tags: ['tls', 'certificates'],
  rules: {
    nuclei: ['self-signed-ssl', 'untrusted-root-certificate', 'mismatched-ssl-certificate', 'revoked-ssl-certificate'],
    nessus: [35291, 45411, 51192, 57582, 69551],
    burp: [0x01000100],
    testssl: ['cert_chain_of_trust', 'cert_trust', 'cert_keySize', 'cert_signatureAlgorithm'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc9525',
    'https://letsencrypt.org/docs/',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  guidance: [
    '- Call the service by the name that its users use. Scans by IP address report a name mismatch even for correct certificates.',
    '- Certificates of an internal certification authority are correct if all clients trust it. Scanners do not know it: import it into the scanner, or mark the results.',
    '- A missing intermediate certificate works in some browsers and fails in other clients. Show the chain that the server sends.',
    '- Burp also reports valid certificates, as information. Use this entry only if the check failed.',
  ],
  en: {
    title: 'TLS certificate is not trusted by clients',
    summary:
      'The certificate of the server fails the checks of clients. Users get used to warnings, and attackers can impersonate the server.',
    description: [
      'Clients identify a server by its certificate. The certificate of the affected service fails at least one of their checks, as the evidence shows: it is self-signed, its issuer is unknown, the chain is incomplete, it is issued for another name, it has been revoked, or its signature or key is too weak.',
    ],
    impact: [
      'Users see a warning and learn to ignore it. Programs are often configured not to check the certificate at all. In both cases, an attacker on the network can present any certificate without being noticed, and read and change the traffic, including passwords.',
    ],
    reproduction: [
      '1. Open the service in a browser, or run `testssl --server-defaults HOST:PORT`.',
      '2. The browser shows a warning, and the output names the reason.',
    ],
    recommendation: [
      "- Use a certificate of a certification authority that all clients trust: a public one for public services, for example through ACME (Let's Encrypt), or an internal one whose root certificate is distributed to all devices.",
      '- List every name that clients use for the service in the certificate (Subject Alternative Name).',
      '- Configure the server to send the intermediate certificates as well.',
      '- Use RSA keys of at least 2048 bits or ECDSA keys, and signatures with SHA-256 or better.',
      '- Afterwards, switch on the certificate check in all programs that use the service.',
    ],
  },
  de: {
    title: 'TLS-Zertifikat ist für Clients nicht vertrauenswürdig',
    summary:
      'Das Zertifikat des Servers besteht die Prüfungen der Clients nicht. Benutzer gewöhnen sich an Warnungen, und Angreifer können sich für den Server ausgeben.',
    description: [
      'Clients erkennen den richtigen Server an seinem Zertifikat. Das Zertifikat des betroffenen Dienstes besteht mindestens eine ihrer Prüfungen nicht, wie der Nachweis zeigt: Es ist selbstsigniert, der Aussteller ist unbekannt, die Kette ist unvollständig, es ist auf einen anderen Namen ausgestellt, es wurde gesperrt, oder Signatur oder Schlüssel sind zu schwach.',
    ],
    impact: [
      'Benutzer sehen eine Warnung und lernen, sie zu ignorieren. Programme werden häufig so konfiguriert, dass sie das Zertifikat gar nicht prüfen. In beiden Fällen kann ein Angreifer im Netzwerk unbemerkt ein beliebiges Zertifikat vorzeigen und die Verbindung einschließlich der Passwörter lesen und verändern.',
    ],
    reproduction: [
      '1. Öffnen Sie den Dienst in einem Browser oder führen Sie `testssl --server-defaults HOST:PORT` aus.',
      '2. Der Browser zeigt eine Warnung, und die Ausgabe nennt den Grund.',
    ],
    recommendation: [
      "- Verwenden Sie ein Zertifikat einer Zertifizierungsstelle, der alle Clients vertrauen: für öffentliche Dienste eine öffentliche, zum Beispiel über ACME (Let's Encrypt), oder eine interne, deren Stammzertifikat auf alle Geräte verteilt ist.",
      '- Führen Sie im Zertifikat alle Namen auf, unter denen der Dienst aufgerufen wird (Subject Alternative Name).',
      '- Konfigurieren Sie den Server so, dass er auch die Zwischenzertifikate sendet.',
      '- Verwenden Sie RSA-Schlüssel mit mindestens 2048 Bit oder ECDSA-Schlüssel und Signaturen mit SHA-256 oder besser.',
      '- Schalten Sie danach die Zertifikatsprüfung in allen Programmen ein, die den Dienst nutzen.',
    ],
  },
})
