import { entry } from '../entry.ts'

export const brokenFunctionAuthorization = entry({
  key: 'broken-function-authorization',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-285'],
  owasp: ['API5:2023', 'A01:2021', 'A01:2025'],
  wstg: ['WSTG-ATHZ-02', 'WSTG-ATHZ-03'],
  attack: [],
  tags: ['api', 'web', 'authorization'],
  rules: {},
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/285.html',
  ],
  guidance: [
    "- Record administrative requests with an administrator's account and repeat them with the session of a normal user. Check that the effect occurred, not only the status.",
    '- Also try other methods (`GET` instead of `POST`), other versions (`/v1/`), and paths with a different case.',
    '- A page that loads but shows no data and carries out no action is at most informational.',
    '- Choose actions that can be undone, on test objects.',
  ],
  en: {
    title: 'Users can call functions of more privileged roles',
    summary:
      "The application does not check the user's role on the server. Users can carry out administrative functions.",
    description: [
      'The user interface hides functions from users without the necessary role, but the server does not check the role when the function is called. A request that is intended for another role succeeds with the session of a normal user.',
    ],
    impact: [
      'Users can carry out actions that are reserved for other roles, for example create users, assign roles, change settings or view all data. An ordinary account can be enough to take over the whole application.',
    ],
    reproduction: [
      '1. Sign in with an account that does not have the required role.',
      '2. Send the affected request with the session of this account.',
      '3. The server carries out the function.',
    ],
    recommendation: [
      '- Check the required role or permission on the server for each function, before anything else happens.',
      '- Deny by default: an endpoint without an explicit permission must not be accessible.',
      '- Define permissions centrally, and test automatically which role may call which endpoint.',
      '- Hiding buttons and pages only improves usability. It does not control access.',
    ],
  },
  de: {
    title: 'Benutzer können Funktionen höherer Rollen aufrufen',
    summary:
      'Die Anwendung prüft die Rolle des Benutzers nicht auf dem Server. Benutzer können administrative Funktionen ausführen.',
    description: [
      'Die Oberfläche blendet Funktionen für Benutzer ohne die nötige Rolle aus, der Server prüft die Rolle beim Aufruf aber nicht. Eine Anfrage, die für eine andere Rolle bestimmt ist, gelingt mit der Sitzung eines normalen Benutzers.',
    ],
    impact: [
      'Benutzer können Aktionen ausführen, die anderen Rollen vorbehalten sind, zum Beispiel Benutzer anlegen, Rollen vergeben, Einstellungen ändern oder alle Daten einsehen. So kann ein gewöhnliches Konto die gesamte Anwendung übernehmen.',
    ],
    reproduction: [
      '1. Melden Sie sich mit einem Konto an, das nicht über die nötige Rolle verfügt.',
      '2. Senden Sie die betroffene Anfrage mit der Sitzung dieses Kontos.',
      '3. Der Server führt die Funktion aus.',
    ],
    recommendation: [
      '- Prüfen Sie die nötige Rolle oder Berechtigung für jede Funktion auf dem Server, bevor er die Anfrage weiterverarbeitet.',
      '- Verweigern Sie den Zugriff standardmäßig: Ein Endpunkt ohne ausdrückliche Berechtigung darf nicht zugänglich sein.',
      '- Definieren Sie Berechtigungen zentral und testen Sie automatisiert, welche Rolle welchen Endpunkt aufrufen darf.',
      '- Das Ausblenden von Schaltflächen und Seiten dient nur der Bedienbarkeit. Es ist kein Zugriffsschutz.',
    ],
  },
})
