import { entry } from '../../entry.ts'

export const cookieAttributes = entry({
  key: 'cookie-attributes',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  cwe: ['CWE-1004', 'CWE-614', 'CWE-1275'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-SESS-02'],
  attack: ['T1539'],
  tags: ['web', 'sessions', 'cookies'],
  rules: { burp: [0x00500200, 0x00500600], zap: ['10010', '10011', '10054'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
    'https://www.rfc-editor.org/rfc/rfc6265',
  ],
  guidance: [
    '- Only cookies whose theft or misuse matters are affected: sessions, remember-me and anti-CSRF cookies. Language, consent and load balancer cookies are not a finding.',
    '- A cookie that JavaScript must read (double-submit token) cannot be `HttpOnly`.',
    '- `Secure` matters most if the application, or another service under the same name, also answers over HTTP.',
    '- Cookies without `SameSite` are treated as `Lax` by Chromium-based browsers, but not by all others.',
  ],
  en: {
    title: 'Session cookies without protective attributes',
    summary:
      'Session cookies lack attributes that protect them in the browser. This makes it easier to steal or misuse a session.',
    description: [
      'The application sets cookies that identify a session without one or more of the following attributes:',
      '- `Secure`: the browser sends the cookie only over encrypted connections.',
      '- `HttpOnly`: JavaScript cannot read the cookie.',
      '- `SameSite`: the browser does not send the cookie with requests from other sites, or only when the user follows a link.',
    ],
    impact: [
      'Without these attributes, other weaknesses have a larger effect: an attacker who can read network traffic or run a script in the page can obtain the session, and other sites can trigger actions with it. The missing attributes are not a vulnerability that can be exploited on its own.',
    ],
    reproduction: [
      '1. Sign in and look at the `Set-Cookie` header of the response.',
      '2. The attributes that the evidence names are missing for the session cookie.',
    ],
    recommendation: [
      '- Set `Secure`, `HttpOnly` and `SameSite=Lax` for all session cookies, or `SameSite=Strict` if links from other sites do not have to keep the session.',
      '- Use the prefix `__Host-` for the name of the cookie (with `Secure`, `Path=/` and without `Domain`), so that other subdomains cannot set it.',
      '- Set the attributes in the configuration of the framework, so that new cookies have them too.',
    ],
  },
  de: {
    title: 'Sitzungscookies ohne schützende Attribute',
    summary:
      'Sitzungscookies fehlen Attribute, die sie im Browser schützen. Das erleichtert den Diebstahl oder Missbrauch einer Sitzung.',
    description: [
      'Die Anwendung setzt Cookies, die eine Sitzung identifizieren, ohne eines oder mehrere der folgenden Attribute:',
      '- `Secure`: Der Browser sendet das Cookie nur über verschlüsselte Verbindungen.',
      '- `HttpOnly`: JavaScript kann das Cookie nicht lesen.',
      '- `SameSite`: Der Browser sendet das Cookie bei Anfragen von fremden Seiten nicht oder nur, wenn der Benutzer einem Link folgt.',
    ],
    impact: [
      'Ohne diese Attribute wirken sich andere Schwachstellen stärker aus: Wer Netzwerkverkehr mitlesen oder ein Skript in der Seite ausführen kann, erlangt die Sitzung, und fremde Seiten können mit ihr Aktionen auslösen. Für sich genommen sind die fehlenden Attribute nicht ausnutzbar.',
    ],
    reproduction: [
      '1. Melden Sie sich an und betrachten Sie den Header `Set-Cookie` der Antwort.',
      '2. Beim Sitzungscookie fehlen die im Nachweis genannten Attribute.',
    ],
    recommendation: [
      '- Setzen Sie für alle Sitzungscookies `Secure`, `HttpOnly` und `SameSite=Lax`, oder `SameSite=Strict`, wenn die Sitzung bei Links von fremden Seiten nicht erhalten bleiben muss.',
      '- Verwenden Sie für den Namen des Cookies das Präfix `__Host-` (mit `Secure`, `Path=/` und ohne `Domain`), damit andere Subdomains es nicht setzen können.',
      '- Setzen Sie die Attribute in der Konfiguration des Frameworks, damit auch neue Cookies sie erhalten.',
    ],
  },
})
