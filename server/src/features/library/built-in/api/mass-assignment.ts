import { entry } from '../entry.ts'

export const massAssignment = entry({
  key: 'mass-assignment',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-915'],
  owasp: ['API3:2023', 'A08:2021', 'A08:2025'],
  wstg: ['WSTG-BUSL-01'],
  attack: [],
  tags: ['api', 'web', 'authorization'],
  rules: {},
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cwe.mitre.org/data/definitions/915.html',
  ],
  guidance: [
    '- Take field names from responses, documentation and other endpoints (`role`, `isAdmin`, `tenantId`, `price`, `verified`), add them to a request that changes the object, and read the object afterwards.',
    '- An accepted but ignored field is not a finding. The stored value must have changed.',
    '- Also try nested objects and identifiers of owners.',
    '- Rate by what the field allows: a role or tenant is high, a cosmetic field is low.',
  ],
  en: {
    title: 'Users can set protected fields (mass assignment)',
    summary:
      'The application stores all fields that a request contains. Users can set fields that they must not change.',
    description: [
      'The application copies the fields of a request to its objects without limiting them to those that the user may change. If a request contains additional fields, such as a role or a price, they are stored too.',
    ],
    impact: [
      'Users can set values that are reserved for the application or for other roles. Depending on the field, they can give themselves more rights, change prices, skip approvals or assign objects to other users.',
    ],
    reproduction: [
      '1. Send the affected request and add the field from the evidence.',
      '2. Read the object: it contains the value that was sent.',
    ],
    recommendation: [
      '- Define for each endpoint and role which fields may be written, and accept only these, for example with dedicated input types (DTOs).',
      '- Reject requests with unknown fields by a strict schema (`additionalProperties: false`).',
      '- Set protected fields such as role, owner, price and state only from data on the server.',
    ],
  },
  de: {
    title: 'Benutzer können geschützte Felder setzen (Mass Assignment)',
    summary:
      'Die Anwendung speichert alle Felder, die eine Anfrage enthält. Benutzer können Felder ändern, die sie nicht ändern dürfen.',
    description: [
      'Die Anwendung überträgt die Felder einer Anfrage in ihre Objekte, ohne sie auf diejenigen zu beschränken, die der Benutzer ändern darf. Enthält eine Anfrage weitere Felder, etwa eine Rolle oder einen Preis, werden auch diese gespeichert.',
    ],
    impact: [
      'Benutzer können Werte setzen, die der Anwendung oder anderen Rollen vorbehalten sind. Je nach Feld können sie ihre Rechte erweitern, Preise ändern, Freigaben überspringen oder Objekte anderen Benutzern zuordnen.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage und fügen Sie das Feld aus dem Nachweis hinzu.',
      '2. Lesen Sie das Objekt: Es enthält den gesendeten Wert.',
    ],
    recommendation: [
      '- Legen Sie für jeden Endpunkt und jede Rolle fest, welche Felder geschrieben werden dürfen, und übertragen Sie nur diese, zum Beispiel mit eigenen Eingabetypen (DTOs).',
      '- Weisen Sie Anfragen mit unbekannten Feldern durch ein strenges Schema ab (`additionalProperties: false`).',
      '- Setzen Sie geschützte Felder wie Rolle, Eigentümer, Preis und Status nur aus Daten des Servers.',
    ],
  },
})
