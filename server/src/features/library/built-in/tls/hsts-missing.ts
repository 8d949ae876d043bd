import { entry } from '../entry.ts'

export const hstsMissing = entry({
  key: 'hsts-missing',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  cwe: ['CWE-523'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CONF-07'],
  attack: ['T1557'],
  tags: ['tls', 'web', 'headers'],
  rules: { nessus: [84502, 142960], burp: [0x01000300], zap: ['10035'], testssl: ['HSTS', 'HSTS_time'] },
  references: [
    'https://www.rfc-editor.org/rfc/rfc6797',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://hstspreload.org/',
    'https://cwe.mitre.org/data/definitions/523.html',
  ],
  guidance: [
    '- Browsers accept the header only over HTTPS with a valid certificate, and never for IP addresses. Over HTTP, its absence is correct.',
    '- Check the host names that users type. Names that only programs call do not need the header.',
    '- Domains such as `.dev` and `.app` and entries of the preload list are protected without the header.',
    '- A lifetime below six months is ineffective for rarely visited sites.',
  ],
  en: {
    title: 'HTTP Strict Transport Security (HSTS) is not enforced',
    summary:
      'The server does not tell browsers to use encrypted connections only. Attackers on the network can intercept the first, unencrypted request.',
    description: [
      'With the header `Strict-Transport-Security`, a server instructs browsers to call it over HTTPS only and not to permit exceptions for invalid certificates. The header is missing, or its lifetime is too short.',
    ],
    impact: [
      'If a user enters the address without `https://` or follows an old link, the first request is unencrypted. An attacker on the same network, for example on a public Wi-Fi network, can intercept it and keep the user on an unencrypted copy of the site to read what the user enters.',
    ],
    reproduction: [
      '1. Run `curl -sI https://HOST/`.',
      '2. The header `Strict-Transport-Security` is missing or has a short `max-age`.',
    ],
    recommendation: [
      '- Send `Strict-Transport-Security: max-age=31536000; includeSubDomains` with all HTTPS responses. Begin with a short lifetime such as one day, and check first that all subdomains are accessible over HTTPS.',
      '- Redirect all HTTP requests to HTTPS.',
      '- For important domains, consider an entry in the preload list of browsers (`preload`). It is difficult to reverse.',
    ],
  },
  de: {
    title: 'HTTP Strict Transport Security (HSTS) wird nicht erzwungen',
    summary:
      'Der Server weist Browser nicht an, ausschließlich verschlüsselte Verbindungen zu nutzen. Angreifer im Netzwerk können die erste, unverschlüsselte Anfrage abfangen.',
    description: [
      'Mit dem Header `Strict-Transport-Security` weist ein Server Browser an, ihn nur über HTTPS aufzurufen und bei ungültigen Zertifikaten keine Ausnahmen zuzulassen. Der Header fehlt, oder seine Gültigkeitsdauer ist zu kurz.',
    ],
    impact: [
      'Gibt ein Benutzer die Adresse ohne `https://` ein oder folgt er einem alten Link, ist die erste Anfrage unverschlüsselt. Ein Angreifer im selben Netzwerk, etwa in einem öffentlichen WLAN, kann sie abfangen und den Benutzer auf einer unverschlüsselten Kopie der Seite halten, um dessen Eingaben mitzulesen.',
    ],
    reproduction: [
      '1. Führen Sie `curl -sI https://HOST/` aus.',
      '2. Der Header `Strict-Transport-Security` fehlt oder hat ein kurzes `max-age`.',
    ],
    recommendation: [
      '- Senden Sie bei allen HTTPS-Antworten `Strict-Transport-Security: max-age=31536000; includeSubDomains`. Beginnen Sie mit einer kurzen Dauer wie einem Tag und prüfen Sie vorher, ob alle Subdomains über HTTPS erreichbar sind.',
      '- Leiten Sie alle HTTP-Anfragen auf HTTPS um.',
      '- Erwägen Sie für wichtige Domains einen Eintrag in die Preload-Liste der Browser (`preload`). Er lässt sich nur schwer rückgängig machen.',
    ],
  },
})
