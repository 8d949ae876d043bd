import { entry } from '../../entry.ts'

export const crossSiteRequestForgery = entry({
  key: 'cross-site-request-forgery',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:H/A:N',
  cwe: ['CWE-352'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-SESS-05'],
  attack: [],
  tags: ['web', 'sessions'],
  rules: { burp: [0x00200700], zap: ['10202', '20012'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-community/attacks/csrf',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
  guidance: [
    '- Build a form on another site and submit it in a current browser with a signed-in test account. Check that the state changed.',
    '- Scanners report every form without a token. Rule out: search and sign-in forms, sessions in the `Authorization` header, cookies with `SameSite=Lax` or `Strict` (browsers that default to `Lax` still send cookies with a top-level GET), and JSON endpoints that insist on `Content-Type: application/json`.',
    '- Sister subdomains are same-site: `SameSite` does not protect against them.',
    '- Rate by the worst action: changing the e-mail address or password is high.',
  ],
  en: {
    title: 'Cross-site request forgery (CSRF)',
    summary: 'Other sites can make the browser of a signed-in user trigger actions in the application.',
    description: [
      'The application recognizes users by a cookie that the browser also sends with requests from other sites. The affected actions require no value that an attacker cannot know, so the application cannot tell intended requests from forged ones.',
    ],
    impact: [
      "If a signed-in user visits a crafted page, the attacker can trigger the affected actions in that user's name, for example change settings or create records. The attacker does not see the responses.",
    ],
    reproduction: [
      '1. Sign in to the application.',
      '2. Open the HTML page from the evidence, from another site, in the same browser.',
      '3. The page submits a form to the application, and the action is carried out.',
    ],
    recommendation: [
      '- Use the protection of the framework: a random token per session that the server requires and checks in every request that changes state.',
      '- Set `SameSite=Lax` or `SameSite=Strict` for session cookies as an additional layer.',
      '- Reject requests that change state and whose `Origin` or `Sec-Fetch-Site` header names another site.',
      '- Change state only with `POST`, `PUT`, `PATCH` and `DELETE`, never with `GET`.',
      '- Ask for the password before critical actions, such as a change of the e-mail address.',
    ],
  },
  de: {
    title: 'Cross-Site Request Forgery (CSRF)',
    summary: 'Fremde Seiten können den Browser angemeldeter Benutzer Aktionen in der Anwendung auslösen lassen.',
    description: [
      'Die Anwendung erkennt Benutzer an einem Cookie, das der Browser auch bei Anfragen von fremden Seiten mitsendet. Die betroffenen Aktionen verlangen keinen weiteren Wert, den ein Angreifer nicht kennen kann. Die Anwendung kann gewollte Anfragen deshalb nicht von gefälschten unterscheiden.',
    ],
    impact: [
      'Besucht ein angemeldeter Benutzer eine präparierte Seite, kann der Angreifer die betroffenen Aktionen in dessen Namen auslösen, zum Beispiel Einstellungen ändern oder Datensätze anlegen. Die Antworten sieht der Angreifer nicht.',
    ],
    reproduction: [
      '1. Melden Sie sich an der Anwendung an.',
      '2. Öffnen Sie im selben Browser die HTML-Seite aus dem Nachweis von einer anderen Website aus.',
      '3. Die Seite sendet ein Formular an die Anwendung, und die Aktion wird ausgeführt.',
    ],
    recommendation: [
      '- Nutzen Sie den Schutz des Frameworks: ein zufälliges Token je Sitzung, das jede ändernde Anfrage enthalten muss und das der Server prüft.',
      '- Setzen Sie für Sitzungscookies als zusätzliche Schutzschicht `SameSite=Lax` oder `SameSite=Strict`.',
      '- Weisen Sie ändernde Anfragen ab, deren Header `Origin` oder `Sec-Fetch-Site` eine fremde Seite nennt.',
      '- Ändern Sie Zustände nur mit `POST`, `PUT`, `PATCH` und `DELETE`, niemals mit `GET`.',
      '- Fragen Sie vor besonders kritischen Aktionen, etwa einer Änderung der E-Mail-Adresse, das Passwort ab.',
    ],
  },
})
