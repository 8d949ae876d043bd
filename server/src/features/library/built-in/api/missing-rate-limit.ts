import { entry } from '../entry.ts'

export const missingRateLimit = entry({
  key: 'missing-rate-limit',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
  cwe: ['CWE-770'],
  owasp: ['API4:2023', 'A04:2021', 'A06:2025'],
  wstg: ['WSTG-BUSL-05'],
  attack: ['T1499'],
  tags: ['api', 'web', 'availability'],
  rules: { nuclei: ['graphql-array-batching', 'graphql-alias-batching'] },
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa4-unrestricted-resource-consumption/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Denial_of_Service_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/770.html',
  ],
  guidance: [
    '- Agree on the load with the client first. A few hundred requests to an endpoint that searches, or sends e-mails or text messages, are sufficient proof.',
    '- Note response times, status 429 and headers such as `Retry-After`. A limit may apply only after minutes or only at the proxy.',
    '- Test page sizes (`limit=1000000`), sizes of uploads, depth and batches of GraphQL queries.',
    '- Use the entry for password guessing if the sign-in is affected.',
  ],
  en: {
    title: 'Missing limits for requests and resources',
    summary:
      'The application does not limit how often or how heavily its functions can be used. Attackers can overload it or cause costs.',
    description: [
      'The affected functions can be called any number of times in a short period, or accept values that require a great deal of computing time, memory or storage. The evidence shows the number and the size of the requests that the application processed.',
    ],
    impact: [
      'Attackers can impair the availability of the application with little effort. Functions that send e-mails or text messages, or that use paid services, also cause costs. Large amounts of data can also be copied without being noticed.',
    ],
    reproduction: [
      '1. Send the affected request repeatedly, or with the value from the evidence.',
      '2. The application processes all requests without a limit.',
    ],
    recommendation: [
      '- Limit the number of requests per user, key and source address, and answer requests above the limit with status 429 and `Retry-After`.',
      '- Set upper limits for page sizes, uploads, lengths of fields and duration of processing. With GraphQL, limit depth, cost and number of queries per request.',
      '- Set stricter limits for expensive functions, such as sending messages, exports and searches.',
      '- Monitor usage and costs, and raise an alarm for unusual values.',
    ],
  },
  de: {
    title: 'Fehlende Begrenzung von Anfragen und Ressourcen',
    summary:
      'Die Anwendung begrenzt nicht, wie oft und in welchem Umfang Funktionen genutzt werden können. Angreifer können sie überlasten oder Kosten verursachen.',
    description: [
      'Die betroffenen Funktionen lassen sich in kurzer Zeit beliebig oft aufrufen oder nehmen Werte an, deren Verarbeitung viel Rechenzeit, Arbeitsspeicher oder Speicherplatz erfordert. Der Nachweis zeigt Anzahl und Umfang der verarbeiteten Anfragen.',
    ],
    impact: [
      'Angreifer können die Verfügbarkeit der Anwendung mit geringem Aufwand beeinträchtigen. Versenden Funktionen E-Mails oder SMS oder nutzen sie kostenpflichtige Dienste, entstehen Kosten. Außerdem lassen sich große Datenmengen unbemerkt kopieren.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage wiederholt oder mit dem Wert aus dem Nachweis.',
      '2. Die Anwendung verarbeitet alle Anfragen ohne Begrenzung.',
    ],
    recommendation: [
      '- Begrenzen Sie die Zahl der Anfragen je Benutzer, Schlüssel und Quelladresse und antworten Sie bei Überschreitung mit dem Status 429 und `Retry-After`.',
      '- Legen Sie Obergrenzen für Seitengrößen, Uploads, Feldlängen und Verarbeitungsdauer fest. Begrenzen Sie bei GraphQL Tiefe, Kosten und Zahl der Abfragen je Anfrage.',
      '- Setzen Sie für aufwendige Funktionen wie Nachrichtenversand, Exporte und Suchen engere Grenzen.',
      '- Überwachen Sie Nutzung und Kosten und alarmieren Sie bei auffälligen Werten.',
    ],
  },
})
