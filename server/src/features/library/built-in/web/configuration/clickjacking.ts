import { entry } from '../../entry.ts'

export const clickjacking = entry({
  key: 'clickjacking',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cwe: ['CWE-1021'],
  owasp: ['A04:2021', 'A06:2025'],
  wstg: ['WSTG-CLNT-09'],
  attack: [],
  tags: ['web', 'headers'],
  rules: { nessus: [85582], burp: [0x00200507, 0x005009a0], zap: ['10020'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/frame-ancestors',
    'https://cwe.mitre.org/data/definitions/1021.html',
  ],
  guidance: [
    '- Embed the page in an `iframe` on another site and check in a browser that a signed-in session works there. `SameSite=Lax` or `Strict` cookies are not sent in frames of other sites, so often only the signed-out page appears.',
    '- The finding needs an action that one or a few clicks trigger. Static pages and public sites without sign-in are informational at most.',
    '- `frame-ancestors` has priority over `X-Frame-Options` where both are sent. `ALLOW-FROM` is ignored by current browsers.',
  ],
  en: {
    title: 'Application can be embedded in other sites (clickjacking)',
    summary: 'Other sites can show the application in an invisible frame and trick users into clicking its buttons.',
    description: [
      "The application does not tell the browser which sites may embed its pages. An attacker's site can load a page of the application in a transparent frame above its own content.",
    ],
    impact: [
      "Users who are signed in and visit the attacker's site click on elements of the application without noticing. This lets the attacker trigger actions that need only clicks.",
    ],
    reproduction: [
      '1. Sign in to the application.',
      '2. Open the HTML page from the evidence, which embeds the affected page in a frame, in the same browser.',
      '3. The page of the application appears in the frame and can be used.',
    ],
    recommendation: [
      "- Send the header `Content-Security-Policy: frame-ancestors 'none'` with all pages, or `frame-ancestors 'self'` and a list of the sites that must embed the application.",
      '- Send `X-Frame-Options: DENY` or `SAMEORIGIN` as well for old browsers.',
      '- Set `SameSite=Lax` or `Strict` for session cookies, so that they are not sent in frames of other sites.',
    ],
  },
  de: {
    title: 'Anwendung lässt sich in fremde Seiten einbetten (Clickjacking)',
    summary:
      'Fremde Seiten können die Anwendung in einem unsichtbaren Frame anzeigen und Benutzer dazu bringen, unwissentlich Schaltflächen der Anwendung anzuklicken.',
    description: [
      'Die Anwendung teilt dem Browser nicht mit, welche Seiten sie einbetten dürfen. Die Seite eines Angreifers kann eine Seite der Anwendung in einem transparenten Frame über den eigenen Inhalt legen.',
    ],
    impact: [
      'Angemeldete Benutzer, die die Seite des Angreifers besuchen, klicken unbemerkt auf Elemente der Anwendung. Der Angreifer kann so Aktionen auslösen, für die Klicks genügen.',
    ],
    reproduction: [
      '1. Melden Sie sich an der Anwendung an.',
      '2. Öffnen Sie im selben Browser die HTML-Seite aus dem Nachweis, die die betroffene Seite in einem Frame einbettet.',
      '3. Die Seite der Anwendung erscheint im Frame und lässt sich bedienen.',
    ],
    recommendation: [
      "- Senden Sie bei allen Seiten den Header `Content-Security-Policy: frame-ancestors 'none'` oder `frame-ancestors 'self'` mit einer Liste der Seiten, die die Anwendung einbetten müssen.",
      '- Senden Sie für alte Browser zusätzlich `X-Frame-Options: DENY` oder `SAMEORIGIN`.',
      '- Setzen Sie für Sitzungscookies `SameSite=Lax` oder `Strict`, damit sie in Frames fremder Seiten nicht gesendet werden.',
    ],
  },
})
