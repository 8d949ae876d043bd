import { entry } from '../../entry.ts'

export const requestSmuggling = entry({
  key: 'request-smuggling',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:N',
  cwe: ['CWE-444'],
  owasp: ['A04:2021', 'A06:2025'],
  wstg: ['WSTG-INPV-15'],
  attack: ['T1190'],
  tags: ['web', 'http', 'proxy'],
  rules: { burp: [0x00200140] },
  references: [
    'https://portswigger.net/web-security/request-smuggling',
    'https://www.rfc-editor.org/rfc/rfc9112#section-11.2',
    'https://cwe.mitre.org/data/definitions/444.html',
  ],
  guidance: [
    '- Confirm with a timeout that only one of two variants causes. Then smuggle a prefix, and check that it changes the response to your own next request. Send both requests yourself.',
    "- Tests can affect other users of a shared connection. Work outside business hours and with the client's consent, or on a test system.",
    '- Many proxies close connections on invalid requests: this causes timeouts without a vulnerability.',
    '- Check variants: `Content-Length` and `Transfer-Encoding` in both orders, HTTP/2 translated to HTTP/1.1, and line breaks in HTTP/2 headers.',
  ],
  en: {
    title: 'HTTP request smuggling',
    summary:
      'Proxy and server disagree about where a request ends. Attackers can insert requests into the connections of other users.',
    description: [
      'A proxy forwards requests of several users over shared connections to the server behind it. If a request states contradictory lengths, proxy and server disagree about where it ends. The rest of the request is treated as the beginning of the next one, which may belong to another user.',
    ],
    impact: [
      'Attackers can bypass access rules of the proxy, read the requests of other users, including their sessions, send them manipulated responses, and poison caches.',
    ],
    reproduction: [
      '1. Send the first request from the evidence. It contains a hidden second request.',
      '2. Send a normal request over the same path immediately afterwards.',
      '3. The response to the normal request belongs to the hidden request.',
    ],
    recommendation: [
      '- Update proxy, load balancer and application server. Current versions reject contradictory lengths.',
      '- Use HTTP/2 up to the application server where possible, without translation to HTTP/1.1.',
      '- Configure the proxy to reject ambiguous requests instead of rewriting and forwarding them, for example with a strict HTTP desync mitigation mode.',
      '- Until this is possible, do not reuse connections between proxy and server.',
    ],
  },
  de: {
    title: 'HTTP Request Smuggling',
    summary:
      'Proxy und Server sind sich uneinig, wo eine Anfrage endet. Angreifer können Anfragen in Verbindungen anderer Benutzer einschleusen.',
    description: [
      'Ein Proxy leitet Anfragen mehrerer Benutzer über gemeinsame Verbindungen an den dahinterliegenden Server weiter. Bei Anfragen mit widersprüchlichen Längenangaben bestimmen Proxy und Server unterschiedliche Enden. Der Rest einer solchen Anfrage gilt als Anfang der nächsten, die von einem anderen Benutzer stammen kann.',
    ],
    impact: [
      'Angreifer können Zugriffsregeln des Proxys umgehen, Anfragen anderer Benutzer samt deren Sitzungen erlangen, ihnen manipulierte Antworten unterschieben und falsche Inhalte in Caches ablegen.',
    ],
    reproduction: [
      '1. Senden Sie die erste Anfrage aus dem Nachweis. Sie enthält eine versteckte zweite Anfrage.',
      '2. Senden Sie unmittelbar danach auf demselben Weg eine normale Anfrage.',
      '3. Die Antwort auf die normale Anfrage gehört zur versteckten Anfrage.',
    ],
    recommendation: [
      '- Aktualisieren Sie Proxy, Load Balancer und Anwendungsserver. Aktuelle Versionen weisen widersprüchliche Längenangaben ab.',
      '- Verwenden Sie möglichst durchgehend HTTP/2 bis zum Anwendungsserver, ohne Umwandlung in HTTP/1.1.',
      '- Konfigurieren Sie den Proxy so, dass er mehrdeutige Anfragen abweist, statt sie korrigiert weiterzuleiten, zum Beispiel mit einem strengen Modus gegen HTTP-Desync.',
      '- Ist das kurzfristig nicht möglich, verwenden Sie Verbindungen zwischen Proxy und Server nicht mehrfach.',
    ],
  },
})
