import { entry } from '../entry.ts'

export const tlsObsoleteVersions = entry({
  key: 'tls-obsolete-versions',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  cwe: ['CWE-327'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-01'],
  attack: ['T1557'],
  tags: ['tls', 'encryption'],
  rules: {
    nuclei: ['deprecated-tls'],
    nessus: [20007, 104743, 157288, 78479],
    testssl: ['SSLv2', 'SSLv3', 'TLS1', 'TLS1_1', 'POODLE_SSL', 'DROWN', 'BEAST', 'BEAST_CBC_SSL3', 'BEAST_CBC_TLS1'],
  },
  references: [
    'https://www.rfc-editor.org/rfc/rfc8996',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  guidance: [
    '- Confirm with `testssl --protocols HOST:PORT` or `openssl s_client -tls1_1`. New OpenSSL builds cannot offer old versions themselves: a failed connection then proves nothing.',
    '- SSLv2 and SSLv3 are broken in practice: raise the severity. If only TLS 1.0 and 1.1 are affected, the finding is low to medium, depending on the data.',
    '- Mail servers (port 25) with opportunistic encryption are an exception: without old versions, some servers would send mail unencrypted.',
    '- Check whether a load balancer in front answers, and name the component that the client has to configure.',
  ],
  en: {
    title: 'Obsolete versions of SSL and TLS are supported',
    summary: 'The server accepts encrypted connections with obsolete protocol versions that have known weaknesses.',
    description: [
      'The server supports versions before TLS 1.2. SSL 2.0 and SSL 3.0 have serious flaws in their design. TLS 1.0 and TLS 1.1 rely on obsolete methods such as SHA-1 and were withdrawn by the Internet Engineering Task Force (IETF) in 2021 (RFC 8996). The evidence lists the supported versions.',
    ],
    impact: [
      'Attackers who can read and change the network traffic can, under certain conditions, weaken the connections of old clients and decrypt parts of them, for example with POODLE (SSL 3.0) or DROWN (SSL 2.0). Standards such as PCI DSS do not permit SSL and early TLS.',
    ],
    reproduction: ['1. Run `testssl --protocols HOST:PORT`.', '2. The output lists the obsolete versions as offered.'],
    recommendation: [
      '- Allow only TLS 1.2 and TLS 1.3 in the configuration of the server, load balancer or proxy. The Mozilla SSL Configuration Generator provides suitable settings.',
      '- On Windows Server, switch off the old versions with the SCHANNEL settings of the registry or by group policy, and restart the system.',
      '- Check the logs first to find clients that still use old versions, and update them.',
    ],
  },
  de: {
    title: 'Veraltete SSL- und TLS-Versionen werden unterstützt',
    summary:
      'Der Server akzeptiert verschlüsselte Verbindungen mit veralteten Protokollversionen, die bekannte Schwächen haben.',
    description: [
      'Der Server unterstützt Versionen vor TLS 1.2. SSL 2.0 und SSL 3.0 weisen schwerwiegende Entwurfsfehler auf. TLS 1.0 und TLS 1.1 beruhen auf veralteten Verfahren wie SHA-1 und wurden 2021 von der Internet Engineering Task Force (IETF) zurückgezogen (RFC 8996). Der Nachweis führt die unterstützten Versionen auf.',
    ],
    impact: [
      'Angreifer, die den Netzwerkverkehr lesen und verändern können, können unter bestimmten Bedingungen Verbindungen alter Clients schwächen und in Teilen entschlüsseln, zum Beispiel mit POODLE (SSL 3.0) oder DROWN (SSL 2.0). Standards wie PCI DSS lassen SSL und frühe TLS-Versionen nicht zu.',
    ],
    reproduction: [
      '1. Führen Sie `testssl --protocols HOST:PORT` aus.',
      '2. Die Ausgabe führt die veralteten Versionen als angeboten auf.',
    ],
    recommendation: [
      '- Erlauben Sie in der Konfiguration von Server, Load Balancer oder Proxy nur TLS 1.2 und TLS 1.3. Der Mozilla SSL Configuration Generator liefert passende Einstellungen.',
      '- Schalten Sie die alten Versionen unter Windows Server über die SCHANNEL-Einstellungen der Registry oder per Gruppenrichtlinie ab und starten Sie das System neu.',
      '- Werten Sie vorher in den Protokollen aus, welche Clients noch alte Versionen nutzen, und aktualisieren Sie diese.',
    ],
  },
})
