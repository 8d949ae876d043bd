import { entry } from '../entry.ts'

export const brokenObjectAuthorization = entry({
  key: 'broken-object-authorization',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-639'],
  owasp: ['API1:2023', 'A01:2021', 'A01:2025'],
  wstg: ['WSTG-ATHZ-04'],
  attack: [],
  tags: ['api', 'web', 'authorization'],
  rules: {},
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Insecure_Direct_Object_Reference_Prevention_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/639.html',
  ],
  guidance: [
    '- Use two accounts of the same role, and of two tenants if there are any. Take the identifier of an object of the first and request it with the second.',
    '- Test all methods: reading, changing, deleting, sub-resources, exports and files. Many applications check only the first.',
    '- Check that the object really is private. Shared or public objects are not a finding.',
    '- Identifiers that are hard to guess (UUID) make exploitation more difficult but do not fix the flaw: show where they leak.',
    '- Change or delete only objects of your own test accounts.',
  ],
  en: {
    title: 'Access to objects of other users (IDOR, BOLA)',
    summary:
      'The application does not check whether an object belongs to the user who requests it. Users can access the data of others.',
    description: [
      'The request contains an identifier of an object. The application checks that the user is signed in, but not that the user may access this object. With the identifier of an object that belongs to another user, the request succeeds.',
    ],
    impact: [
      'Any user can read the objects of all other users by guessing or learning their identifiers. Where the evidence shows it, users can also change or delete them. This can affect all data of the application, including that of other tenants.',
    ],
    reproduction: [
      '1. Sign in with the first account and note the identifier of one of its objects.',
      '2. Sign in with the second account and send the affected request with this identifier.',
      '3. The response contains the object of the first account.',
    ],
    recommendation: [
      '- On the server, check for each access whether the signed-in user may carry out this action on this object. The simplest way is to make the user or tenant part of the database query.',
      '- Put the check in one place, such as a middleware or the data access layer, so that new endpoints cannot omit it. Deny access by default.',
      '- Cover it with automated tests: for each endpoint, a request with an object of another user must fail.',
      '- Use identifiers that cannot be guessed as an additional layer.',
    ],
  },
  de: {
    title: 'Zugriff auf Objekte anderer Benutzer (IDOR, BOLA)',
    summary:
      'Die Anwendung prüft nicht, ob ein Objekt dem anfragenden Benutzer gehört. Benutzer können auf fremde Daten zugreifen.',
    description: [
      'Die Anfrage enthält die Kennung eines Objekts. Die Anwendung prüft, ob der Benutzer angemeldet ist, aber nicht, ob er auf dieses Objekt zugreifen darf. Mit der Kennung eines fremden Objekts ist die Anfrage erfolgreich.',
    ],
    impact: [
      'Jeder Benutzer kann Objekte aller anderen Benutzer lesen, indem er deren Kennungen ausprobiert oder in Erfahrung bringt, und sie, soweit im Nachweis gezeigt, ändern oder löschen. Davon können alle Daten der Anwendung betroffen sein, auch über Mandantengrenzen hinweg.',
    ],
    reproduction: [
      '1. Melden Sie sich mit dem ersten Konto an und notieren Sie die Kennung eines seiner Objekte.',
      '2. Melden Sie sich mit dem zweiten Konto an und senden Sie die betroffene Anfrage mit dieser Kennung.',
      '3. Die Antwort enthält das Objekt des ersten Kontos.',
    ],
    recommendation: [
      '- Prüfen Sie bei jedem Zugriff auf dem Server, ob der angemeldete Benutzer diese Aktion an diesem Objekt ausführen darf. Am einfachsten nehmen Sie den Benutzer oder Mandanten in die Datenbankabfrage auf.',
      '- Setzen Sie die Prüfung an einer zentralen Stelle um, etwa in einer Middleware oder der Datenzugriffsschicht, damit neue Endpunkte sie nicht auslassen können. Verweigern Sie den Zugriff im Zweifel.',
      '- Sichern Sie dies mit automatisierten Tests ab: Für jeden Endpunkt muss eine Anfrage mit einem fremden Objekt fehlschlagen.',
      '- Verwenden Sie als zusätzliche Schutzschicht nicht erratbare Kennungen.',
    ],
  },
})
