import { entry } from '../entry.ts'

export const apiDescriptionExposed = entry({
  key: 'api-description-exposed',
  severity: 'info',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  cwe: ['CWE-200'],
  owasp: ['API9:2023', 'A05:2021', 'A02:2025'],
  wstg: ['WSTG-APIT-01', 'WSTG-INFO-05'],
  attack: ['T1592'],
  tags: ['api', 'graphql', 'information'],
  rules: {
    nuclei: ['swagger-api', 'openapi', 'wsdl-api', 'graphql-introspection'],
    burp: [0x00200512, 0x00600900, 0x00600901],
    zap: ['50007-1', '90030'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/',
    'https://spec.graphql.org/October2021/#sec-Introspection',
  ],
  guidance: [
    '- Public APIs with public documentation are not affected. Ask whether the description is meant to be public.',
    '- Use the description for your own tests: internal endpoints and administrative functions that it names, and whether they check permissions.',
    '- Old versions of Swagger UI can themselves be vulnerable to cross-site scripting (versions 3.14.1 to 3.37).',
    '- Raise the severity to low or medium only if the description contains confidential details, such as keys in examples.',
  ],
  en: {
    title: 'API description is publicly accessible',
    summary:
      'The complete description of the API can be retrieved without signing in. It helps attackers prepare an attack.',
    description: [
      'The server delivers a machine-readable description of its API, such as an OpenAPI document, a WSDL or a GraphQL schema by introspection. It lists all functions, parameters and types, including those that are not intended for the public.',
    ],
    impact: [
      'The description itself is not a vulnerability. It shows attackers internal and administrative functions, which they can then test. They find functions without an access check sooner.',
    ],
    reproduction: [
      '1. Send the request from the evidence without signing in.',
      '2. The response contains the description of the API.',
    ],
    recommendation: [
      '- Decide whether the API is public. If it is not, deliver the description only to signed-in users, or only in development environments.',
      '- Switch off introspection, field suggestions and GraphQL consoles in production if only your own applications use the API.',
      '- Check that all described functions have an access check, and remove obsolete versions of the API. Hiding the description does not replace this.',
    ],
  },
  de: {
    title: 'Beschreibung der Schnittstelle ist öffentlich abrufbar',
    summary:
      'Die vollständige Beschreibung der Schnittstelle lässt sich ohne Anmeldung abrufen. Das erleichtert Angreifern die Vorbereitung.',
    description: [
      'Der Server liefert eine maschinenlesbare Beschreibung seiner Schnittstelle aus, etwa ein OpenAPI-Dokument, eine WSDL oder per Introspection ein GraphQL-Schema. Sie führt alle Funktionen, Parameter und Typen auf, auch solche, die nicht für die Öffentlichkeit bestimmt sind.',
    ],
    impact: [
      'Die Beschreibung ist für sich genommen keine Schwachstelle. Angreifer erfahren jedoch von internen und administrativen Funktionen und können sie gezielt angreifen. Eine fehlende Zugriffsprüfung entdecken sie so schneller.',
    ],
    reproduction: [
      '1. Senden Sie die Anfrage aus dem Nachweis ohne Anmeldung.',
      '2. Die Antwort enthält die Beschreibung der Schnittstelle.',
    ],
    recommendation: [
      '- Entscheiden Sie, ob die Schnittstelle öffentlich ist. Falls nicht, liefern Sie die Beschreibung nur nach Anmeldung oder nur in Entwicklungsumgebungen aus.',
      '- Schalten Sie Introspection, Feldvorschläge und grafische Konsolen von GraphQL in Produktivumgebungen ab, wenn nur eigene Anwendungen die Schnittstelle nutzen.',
      '- Stellen Sie sicher, dass alle beschriebenen Funktionen eine Zugriffsprüfung haben, und entfernen Sie veraltete Versionen der Schnittstelle. Das Verbergen der Beschreibung ersetzt dies nicht.',
    ],
  },
})
