import { entry } from '../../entry.ts'

export const contentSecurityPolicy = entry({
  key: 'content-security-policy',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cwe: ['CWE-693'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: [],
  tags: ['web', 'headers'],
  rules: { burp: [0x00200503, 0x00200504, 0x00200505, 0x00200506, 0x00200508, 0x00200509], zap: ['10038', '10055'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP',
    'https://csp-evaluator.withgoogle.com/',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  guidance: [
    '- Look at HTML responses of the application itself. Policies missing from images, redirects, error pages of a proxy or JSON are not a finding.',
    '- A policy may also be in a `<meta>` element, or set by a proxy for some paths only.',
    '- `Content-Security-Policy-Report-Only` does not protect.',
    '- Check quality: `unsafe-inline` without nonce or hash, wildcards, `data:` for scripts, and hosts with JSONP endpoints make a policy ineffective.',
  ],
  en: {
    title: 'Missing or ineffective Content Security Policy',
    summary:
      'The application does not restrict which scripts its pages may run. The browser cannot limit the effect of cross-site scripting.',
    description: [
      'With a Content Security Policy (CSP), a page tells the browser which sources of scripts, styles and other content are allowed. The application sends no policy, or one that permits so much that it does not prevent injected scripts. The evidence shows the header.',
    ],
    impact: [
      'The missing policy is not a vulnerability in itself. If the application has a cross-site scripting vulnerability now or later, the browser runs injected scripts without restriction.',
    ],
    reproduction: [
      '1. Request a page of the application and look at the response headers.',
      '2. The header `Content-Security-Policy` is missing or contains the values from the evidence.',
    ],
    recommendation: [
      "- Introduce a strict policy based on nonces, for example `script-src 'nonce-<random>' 'strict-dynamic'; object-src 'none'; base-uri 'none'`, with a new random value in each response.",
      '- Move inline scripts and event handlers into files, or mark them with the nonce.',
      '- Start with `Content-Security-Policy-Report-Only` and a report address, fix what is reported, and then enforce the policy.',
      '- Add `frame-ancestors` to define which sites may embed the application.',
    ],
  },
  de: {
    title: 'Fehlende oder wirkungslose Content Security Policy',
    summary:
      'Die Anwendung schränkt nicht ein, welche Skripte ihre Seiten ausführen dürfen. Der Browser kann die Folgen von Cross-Site-Scripting nicht begrenzen.',
    description: [
      'Mit einer Content Security Policy (CSP) teilt eine Seite dem Browser mit, welche Quellen für Skripte, Stile und andere Inhalte erlaubt sind. Die Anwendung sendet keine Policy oder eine, die so viel zulässt, dass sie eingeschleuste Skripte nicht verhindert. Der Nachweis zeigt den Header.',
    ],
    impact: [
      'Die fehlende Policy ist für sich genommen keine Schwachstelle. Hat die Anwendung jedoch jetzt oder künftig eine Cross-Site-Scripting-Schwachstelle, führt der Browser eingeschleuste Skripte uneingeschränkt aus.',
    ],
    reproduction: [
      '1. Rufen Sie eine Seite der Anwendung ab und betrachten Sie die Antwort-Header.',
      '2. Der Header `Content-Security-Policy` fehlt oder enthält die Werte aus dem Nachweis.',
    ],
    recommendation: [
      "- Führen Sie eine strenge, auf Nonces basierende Policy ein, zum Beispiel `script-src 'nonce-<Zufallswert>' 'strict-dynamic'; object-src 'none'; base-uri 'none'`, mit einem neuen Zufallswert in jeder Antwort.",
      '- Verschieben Sie Inline-Skripte und Event-Handler in Dateien. Verbleibende Inline-Skripte kennzeichnen Sie mit der Nonce.',
      '- Beginnen Sie mit `Content-Security-Policy-Report-Only` und einer Berichtsadresse, korrigieren Sie die gemeldeten Stellen und erzwingen Sie die Policy danach.',
      '- Legen Sie mit `frame-ancestors` fest, welche Seiten die Anwendung einbetten dürfen.',
    ],
  },
})
