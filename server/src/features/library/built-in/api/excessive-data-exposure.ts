import { entry } from '../entry.ts'

export const excessiveDataExposure = entry({
  key: 'excessive-data-exposure',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-213'],
  owasp: ['API3:2023', 'A04:2021', 'A06:2025'],
  wstg: [],
  attack: [],
  tags: ['api', 'web', 'privacy'],
  rules: {},
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/213.html',
  ],
  guidance: [
    '- Compare the response with what the user interface shows to this role. Only data that this user must not see counts.',
    '- Typical fields: password hashes, internal notes, e-mail addresses and birth dates of other users, tokens, prices, deleted records.',
    '- Also check lists, search, exports, GraphQL fields and error messages.',
    '- Fields that are merely unused are informational.',
  ],
  en: {
    title: 'API returns more data than intended',
    summary:
      'Responses contain fields that the user must not see. The application only hides them in the user interface.',
    description: [
      'The API returns complete objects from the database and leaves it to the user interface to show the appropriate part. The evidence lists the fields in the response that are not intended for the role of the user.',
    ],
    impact: [
      'Users can read confidential data by looking at the responses, for example with the developer tools of the browser. If personal data is affected, this can be a breach that must be reported under data protection law.',
    ],
    reproduction: [
      '1. Sign in and open the affected page.',
      '2. Look at the response of the API in the developer tools of the browser.',
      '3. It contains the fields from the evidence, which the page does not show.',
    ],
    recommendation: [
      '- Define for each endpoint and role which fields a response contains, and filter on the server with dedicated output types or a schema.',
      '- Do not return database objects directly. Check particularly for password hashes, tokens and data of other people.',
      '- Test automatically that responses contain only the defined fields.',
    ],
  },
  de: {
    title: 'Schnittstelle liefert mehr Daten als vorgesehen',
    summary:
      'Antworten enthalten Felder, die der Benutzer nicht sehen darf. Die Anwendung blendet sie nur in der Oberfläche aus.',
    description: [
      'Die Schnittstelle gibt vollständige Objekte aus der Datenbank zurück und überlässt es der Oberfläche, den passenden Teil anzuzeigen. Der Nachweis führt die Felder der Antwort auf, die nicht für die Rolle des Benutzers bestimmt sind.',
    ],
    impact: [
      'Benutzer können vertrauliche Daten lesen, indem sie die Antworten betrachten, zum Beispiel mit den Entwicklerwerkzeugen des Browsers. Bei personenbezogenen Daten kann das eine meldepflichtige Datenschutzverletzung sein.',
    ],
    reproduction: [
      '1. Melden Sie sich an und öffnen Sie die betroffene Seite.',
      '2. Betrachten Sie die Antwort der Schnittstelle in den Entwicklerwerkzeugen des Browsers.',
      '3. Sie enthält die Felder aus dem Nachweis, die die Seite nicht anzeigt.',
    ],
    recommendation: [
      '- Legen Sie für jeden Endpunkt und jede Rolle fest, welche Felder eine Antwort enthält, und filtern Sie auf dem Server mit eigenen Ausgabetypen oder einem Schema.',
      '- Geben Sie Datenbankobjekte nicht unmittelbar zurück. Achten Sie besonders auf Passwort-Hashes, Token und Daten anderer Personen.',
      '- Testen Sie automatisiert, dass Antworten nur die festgelegten Felder enthalten.',
    ],
  },
})
