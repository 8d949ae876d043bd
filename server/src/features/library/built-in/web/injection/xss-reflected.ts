import { entry } from '../../entry.ts'

export const xssReflected = entry({
  key: 'xss-reflected',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cwe: ['CWE-79'],
  owasp: ['A03:2021', 'A05:2025'],
  wstg: ['WSTG-INPV-01'],
  attack: ['T1059.007'],
  tags: ['web', 'injection', 'xss'],
  rules: {
    nuclei: ['reflected-xss', 'top-xss-params', 'xss-fuzz', 'basic-xss-prober'],
    burp: [0x00200300],
    zap: ['40012'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-community/attacks/xss/',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  guidance: [
    '- Confirm in a current browser that the script runs. A reflection proves nothing by itself: check the `Content-Type` (`application/json` and `text/plain` with `nosniff` are not exploitable) and the encoding in the exact context.',
    '- Note whether a policy (CSP) blocks inline scripts. The finding remains, but its impact is lower.',
    "- Reflections of a request header or of a cookie are only exploitable if another person's browser can be made to send them.",
    '- A POST-only reflection is exploitable from another site unless a token or `SameSite` prevents it.',
  ],
  en: {
    title: 'Reflected cross-site scripting (XSS)',
    summary:
      "The application returns input in its pages without encoding it. A crafted link runs an attacker's script in the browser of the person who opens it.",
    description: [
      'The application copies values of the request into the HTML page without encoding them for the place where they appear. A value that contains HTML or JavaScript becomes part of the page.',
      'The script runs in the origin of the application, with the rights of the person who opened the link.',
    ],
    impact: [
      'An attacker who gets a user to open a link can act in the application as that user: read the displayed data, trigger actions, or show a fake sign-in form. If the victim is an administrator, the attacker obtains administrative functions.',
    ],
    reproduction: [
      '1. Open the affected address with the value from the evidence in a browser.',
      '2. The browser runs the injected script, which shows the origin of the page.',
    ],
    recommendation: [
      '- Encode values for the context where they are written: HTML text, attribute, JavaScript or URL. Use the automatic encoding of the template engine and remove exceptions such as `raw`, `safe` or `v-html`.',
      '- Do not write values into script blocks or event handler attributes. Pass them in data attributes or as JSON with the content type `application/json`.',
      '- If users may enter HTML, sanitize it with a maintained library such as DOMPurify.',
      '- Introduce a Content Security Policy without `unsafe-inline` as a second layer.',
    ],
  },
  de: {
    title: 'Reflektiertes Cross-Site-Scripting (XSS)',
    summary:
      'Die Anwendung gibt Eingaben ohne Kodierung in ihren Seiten aus. Ein präparierter Link führt im Browser der Person, die ihn öffnet, ein Skript des Angreifers aus.',
    description: [
      'Die Anwendung übernimmt Werte aus der Anfrage in die HTML-Seite, ohne sie für die jeweilige Ausgabestelle zu kodieren. Enthält ein Wert HTML oder JavaScript, wird er Teil der Seite.',
      'Das Skript läuft im Kontext (Origin) der Anwendung und mit den Rechten der Person, die den Link geöffnet hat.',
    ],
    impact: [
      'Bringt ein Angreifer einen Benutzer dazu, einen Link zu öffnen, kann er in der Anwendung in dessen Namen handeln: angezeigte Daten lesen, Aktionen auslösen oder ein gefälschtes Anmeldeformular einblenden. Ist das Opfer Administrator, erhält der Angreifer Zugriff auf administrative Funktionen.',
    ],
    reproduction: [
      '1. Öffnen Sie die betroffene Adresse mit dem Wert aus dem Nachweis in einem Browser.',
      '2. Der Browser führt das eingeschleuste Skript aus, das den Origin der Seite anzeigt.',
    ],
    recommendation: [
      '- Kodieren Sie Werte passend zur Ausgabestelle: HTML-Text, Attribut, JavaScript oder URL. Nutzen Sie die automatische Kodierung der Template-Engine und entfernen Sie Ausnahmen wie `raw`, `safe` oder `v-html`.',
      '- Schreiben Sie keine Werte in Skriptblöcke oder Event-Handler-Attribute. Übergeben Sie sie in Data-Attributen oder als JSON mit dem Content-Type `application/json`.',
      '- Wenn Benutzer HTML eingeben dürfen, bereinigen Sie es mit einer gepflegten Bibliothek wie DOMPurify.',
      '- Führen Sie als zweite Schutzschicht eine Content Security Policy ohne `unsafe-inline` ein.',
    ],
  },
})
