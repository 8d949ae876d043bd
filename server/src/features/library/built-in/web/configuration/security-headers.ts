import { entry } from '../../entry.ts'

export const securityHeaders = entry({
  key: 'security-headers',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  cwe: ['CWE-693'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-CONF-02'],
  attack: [],
  tags: ['web', 'headers'],
  rules: { nuclei: ['http-missing-security-headers'], zap: ['10021', '10063'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://owasp.org/www-project-secure-headers/',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Content-Type-Options',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  guidance: [
    '- Report one finding with a table of headers, not one finding per header or page.',
    '- Missing CSP, frame protection and HSTS have their own entries: use those if the header matters for the application.',
    '- `X-XSS-Protection`, `Expect-CT` and `Public-Key-Pins` are obsolete. Their absence is correct.',
    '- For pure JSON APIs, only `X-Content-Type-Options`, HSTS and caching matter.',
  ],
  en: {
    title: 'Missing security headers',
    summary: 'The application does not send headers that make browsers protect against common attacks.',
    description: [
      'Browsers have protections that a site switches on with response headers. The application does not send the headers that the evidence lists. Typical ones are:',
      '- `X-Content-Type-Options: nosniff` prevents browsers from guessing the type of a file and executing it as a script.',
      '- `Referrer-Policy` limits which part of an address the browser reveals to other sites.',
      '- `Permissions-Policy` switches off functions such as camera or location that the application does not need.',
    ],
    impact: [
      'The missing headers are not a vulnerability in themselves. They make other weaknesses easier to exploit, and confidential parts of addresses can leak to other sites.',
    ],
    reproduction: [
      '1. Request a page of the application, for example with `curl -sI https://HOST/`.',
      '2. The headers from the evidence are missing in the response.',
    ],
    recommendation: [
      '- Send `X-Content-Type-Options: nosniff` and `Referrer-Policy: strict-origin-when-cross-origin` (or `no-referrer`) with all responses.',
      '- Send a `Permissions-Policy` that switches off unused functions, for example `camera=(), microphone=(), geolocation=()`.',
      '- Set the headers centrally in the web server, proxy or framework, so that error pages and new pages have them too.',
      '- Remove obsolete headers such as `X-XSS-Protection`.',
    ],
  },
  de: {
    title: 'Fehlende Sicherheits-Header',
    summary: 'Der Anwendung fehlen Antwort-Header, mit denen Browser Benutzer vor verbreiteten Angriffen schützen.',
    description: [
      'Browser verfügen über Schutzfunktionen, die eine Website mit Antwort-Headern einschaltet. Die Anwendung sendet die im Nachweis aufgeführten Header nicht. Typisch sind:',
      '- `X-Content-Type-Options: nosniff` verhindert, dass Browser den Typ einer Datei erraten und Dateien dadurch als Skript ausführen.',
      '- `Referrer-Policy` begrenzt, welchen Teil einer Adresse der Browser anderen Seiten mitteilt.',
      '- `Permissions-Policy` schaltet Funktionen wie Kamera oder Standort ab, die die Anwendung nicht benötigt.',
    ],
    impact: [
      'Die fehlenden Header sind für sich genommen keine Schwachstelle. Sie erleichtern das Ausnutzen anderer Schwachstellen, und Adressen mit vertraulichen Bestandteilen können anderen Seiten bekannt werden.',
    ],
    reproduction: [
      '1. Rufen Sie eine Seite der Anwendung ab, zum Beispiel mit `curl -sI https://HOST/`.',
      '2. In der Antwort fehlen die Header aus dem Nachweis.',
    ],
    recommendation: [
      '- Senden Sie bei allen Antworten `X-Content-Type-Options: nosniff` und `Referrer-Policy: strict-origin-when-cross-origin` (oder `no-referrer`).',
      '- Senden Sie eine `Permissions-Policy`, die ungenutzte Funktionen abschaltet, zum Beispiel `camera=(), microphone=(), geolocation=()`.',
      '- Setzen Sie die Header zentral im Webserver, Proxy oder Framework, damit auch Fehlerseiten und neue Seiten sie erhalten.',
      '- Entfernen Sie veraltete Header wie `X-XSS-Protection`.',
    ],
  },
})
