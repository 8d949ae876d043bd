import { entry } from '../entry.ts'

export const missingAuthentication = entry({
  key: 'missing-authentication',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-306'],
  owasp: ['API2:2023', 'A07:2021', 'A07:2025'],
  wstg: ['WSTG-ATHN-04'],
  attack: ['T1190'],
  tags: ['api', 'web', 'authentication'],
  rules: {},
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa2-broken-authentication/',
    'https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/306.html',
  ],
  guidance: [
    '- Send the request without any cookie, token or client certificate, and from an address that has no special access.',
    '- Check whether the data is meant to be public. Compare with the documentation or ask the client.',
    '- Responses with status 200 and an empty list or an error text do not prove anything.',
    '- Rate by the data and actions that are reachable: read access to harmless data is medium.',
  ],
  en: {
    title: 'Endpoints without authentication',
    summary: 'Parts of the application or interface can be used without signing in.',
    description: [
      'For the affected endpoints, the application does not check whether the request comes from a signed-in user. The same requests succeed without a session or token.',
    ],
    impact: [
      'Anyone who can reach the server can read the affected data and, as far as the evidence shows it, change it. No account is necessary, and access cannot be traced to a person.',
    ],
    reproduction: [
      '1. Send the affected request without cookies and without the `Authorization` header.',
      '2. The server answers as it does to a signed-in user.',
    ],
    recommendation: [
      '- Require authentication for all endpoints by default, and list the few public ones explicitly.',
      '- Apply the check in one place that requests cannot bypass, such as the gateway or a middleware, and additionally in each service.',
      '- Test automatically that each endpoint refuses requests without credentials with status 401.',
      '- Check the logs for access by unknown parties.',
    ],
  },
  de: {
    title: 'Endpunkte ohne Authentifizierung',
    summary: 'Teile der Anwendung oder Schnittstelle lassen sich ohne Anmeldung nutzen.',
    description: [
      'Die Anwendung prüft bei den betroffenen Endpunkten nicht, ob die Anfrage von einem angemeldeten Benutzer stammt. Dieselben Anfragen gelingen ohne Sitzung oder Token.',
    ],
    impact: [
      'Alle, die den Server erreichen, können die betroffenen Daten lesen und, soweit im Nachweis gezeigt, ändern. Dafür ist kein Konto nötig, und die Zugriffe lassen sich keiner Person zuordnen.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage ohne Cookies und ohne den Header `Authorization`.',
      '2. Der Server antwortet wie bei einem angemeldeten Benutzer.',
    ],
    recommendation: [
      '- Verlangen Sie standardmäßig für alle Endpunkte eine Authentifizierung und führen Sie die wenigen öffentlichen ausdrücklich auf.',
      '- Setzen Sie die Prüfung an einer Stelle um, die Anfragen nicht umgehen können, etwa im Gateway oder einer Middleware, und zusätzlich in jedem Dienst.',
      '- Testen Sie automatisiert, dass jeder Endpunkt Anfragen ohne Zugangsdaten mit dem Status 401 ablehnt.',
      '- Prüfen Sie die Protokolle auf Zugriffe Unbefugter.',
    ],
  },
})
