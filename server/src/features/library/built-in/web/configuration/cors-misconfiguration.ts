import { entry } from '../../entry.ts'

export const corsMisconfiguration = entry({
  key: 'cors-misconfiguration',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  cwe: ['CWE-942'],
  owasp: ['A05:2021', 'A02:2025', 'API8:2023'],
  wstg: ['WSTG-CLNT-07'],
  attack: [],
  tags: ['web', 'api', 'headers'],
  rules: { nuclei: ['cors-misconfig'], burp: [0x00200601, 0x00200602, 0x00200603], zap: ['10098', '40040'] },
  references: [
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS',
    'https://portswigger.net/web-security/cors',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
  guidance: [
    "- The finding needs all of these: an attacker's origin in `Access-Control-Allow-Origin`, `Access-Control-Allow-Credentials: true`, and confidential data in a response that depends on a cookie.",
    '- `Access-Control-Allow-Origin: *` without credentials on public data is intended and not a finding. Browsers refuse `*` together with credentials.',
    '- Applications that use only the `Authorization` header are not affected, because browsers do not add it automatically. Cookies with `SameSite=Lax` or `Strict` are not sent either, except from subdomains.',
    '- Test `null`, subdomains, `http://` origins, and names that begin or end with the allowed one.',
  ],
  en: {
    title: 'Cross-origin resource sharing allows any site',
    summary:
      'The application permits other sites to read its responses with the session of the user. Attackers can obtain the data of signed-in users.',
    description: [
      'With cross-origin resource sharing (CORS), a server tells the browser which other sites may read its responses. The application copies the origin of the request into `Access-Control-Allow-Origin`, or checks it insufficiently, and also permits requests with cookies.',
    ],
    impact: [
      "If a signed-in user visits an attacker's site, its script can request the affected addresses with the session of the user and read the responses. This gives access to all data that the user can see there, including anti-CSRF tokens.",
    ],
    reproduction: [
      '1. Send the affected request with a valid session and the header `Origin: https://attacker.example`.',
      '2. The response contains `Access-Control-Allow-Origin: https://attacker.example` and `Access-Control-Allow-Credentials: true`.',
    ],
    recommendation: [
      '- Compare the origin exactly with a fixed list of allowed origins. Do not compare parts of names or use loose regular expressions, and do not allow `null`.',
      '- Send `Access-Control-Allow-Credentials: true` only where other sites need the session of the user.',
      '- Remove the headers where no other site needs access.',
      '- Send `Vary: Origin`, so that caches do not deliver the response of one origin to another.',
    ],
  },
  de: {
    title: 'Beliebige Websites dürfen Antworten der Anwendung lesen (CORS)',
    summary:
      'Die Anwendung gestattet fremden Seiten, ihre Antworten mit der Sitzung des Benutzers zu lesen. Angreifer können Daten angemeldeter Benutzer erlangen.',
    description: [
      'Mit Cross-Origin Resource Sharing (CORS) teilt ein Server dem Browser mit, welche anderen Seiten seine Antworten lesen dürfen. Die Anwendung übernimmt den Origin der Anfrage in `Access-Control-Allow-Origin` oder prüft ihn unzureichend und erlaubt zudem Anfragen mit Cookies.',
    ],
    impact: [
      'Besucht ein angemeldeter Benutzer die Seite eines Angreifers, kann deren Skript die betroffenen Adressen mit der Sitzung des Benutzers abrufen und die Antworten lesen. Damit sind alle Daten zugänglich, die der Benutzer dort sehen kann, einschließlich der Token gegen Cross-Site Request Forgery.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit einer gültigen Sitzung und dem Header `Origin: https://attacker.example`.',
      '2. Die Antwort enthält `Access-Control-Allow-Origin: https://attacker.example` und `Access-Control-Allow-Credentials: true`.',
    ],
    recommendation: [
      '- Vergleichen Sie den Origin exakt mit einer festen Liste erlaubter Origins. Vergleichen Sie keine Namensteile, verwenden Sie keine großzügigen regulären Ausdrücke und erlauben Sie `null` nicht.',
      '- Senden Sie `Access-Control-Allow-Credentials: true` nur dort, wo andere Seiten die Sitzung des Benutzers benötigen.',
      '- Entfernen Sie die Header, wo keine andere Seite Zugriff benötigt.',
      '- Senden Sie `Vary: Origin`, damit Caches die Antwort für einen Origin nicht an einen anderen ausliefern.',
    ],
  },
})
