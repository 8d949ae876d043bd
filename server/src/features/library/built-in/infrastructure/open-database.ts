import { entry } from '../entry.ts'

export const openDatabase = entry({
  key: 'open-database',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-306'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: ['T1190', 'T1213'],
  tags: ['infrastructure', 'database'],
  rules: {
    nuclei: [
      'mongodb-unauth',
      'exposed-redis',
      'clickhouse-unauth',
      'unauth-psql',
      'mysql-empty-password',
      'pgsql-empty-password',
    ],
    nessus: [10481, 81777, 100634, 101025],
  },
  references: [
    'https://www.mongodb.com/docs/manual/administration/security-checklist/',
    'https://redis.io/docs/latest/operate/oss_and_stack/management/security/',
    'https://www.elastic.co/docs/deploy-manage/security',
    'https://cwe.mitre.org/data/definitions/306.html',
  ],
  guidance: [
    '- Confirm with a command that only reads names (`show dbs`, `INFO`, `/_cat/indices`). Do not copy personal records: counts and field names prove enough.',
    '- Check whether others have already changed or deleted data (ransom notes in collections), and inform the client immediately.',
    '- A Redis server in protected mode, or an Elasticsearch that answers 401, is not affected.',
    '- Redis and similar services often allow code to be run on the host. State this, but do not try it without consent.',
  ],
  en: {
    title: 'Database accessible without authentication',
    summary:
      'A database can be used over the network without a password. Attackers can read, change and delete all data.',
    description: [
      'The affected database service accepts connections from the network and requires no authentication. The evidence shows the names of databases or collections, or information about the server.',
    ],
    impact: [
      'Anyone who can reach the service can read, change and delete the stored data. Some services also allow files to be written or commands to be run on the server. Attackers find open databases on the internet within hours, copy them, and delete them to demand a ransom.',
    ],
    reproduction: [
      '1. Connect to the service without credentials, for example with `mongosh --host HOST` or `redis-cli -h HOST`.',
      '2. The command from the evidence returns data of the server.',
    ],
    recommendation: [
      '- Make the service accessible only to the systems that need it: bind it to an internal address, and block all other sources with a firewall.',
      '- Switch on authentication, and give each application its own account with minimal rights.',
      '- Encrypt connections with TLS.',
      '- Check logs and data for access and changes by third parties. If personal data was accessible, you may have to report this to the supervisory authority.',
    ],
  },
  de: {
    title: 'Datenbank ohne Authentifizierung erreichbar',
    summary:
      'Eine Datenbank lässt sich über das Netzwerk ohne Passwort nutzen. Angreifer können alle Daten lesen, ändern und löschen.',
    description: [
      'Der betroffene Datenbankdienst nimmt Verbindungen aus dem Netzwerk an und verlangt keine Authentifizierung. Der Nachweis zeigt Namen von Datenbanken oder Sammlungen oder Angaben zum Server.',
    ],
    impact: [
      'Alle, die den Dienst erreichen, können die gespeicherten Daten lesen, ändern und löschen. Manche Dienste erlauben zudem, Dateien zu schreiben oder Befehle auf dem Server auszuführen. Offene Datenbanken im Internet werden innerhalb von Stunden automatisiert gefunden, kopiert und zur Erpressung gelöscht.',
    ],
    reproduction: [
      '1. Verbinden Sie sich ohne Zugangsdaten mit dem Dienst, zum Beispiel mit `mongosh --host HOST` oder `redis-cli -h HOST`.',
      '2. Der Befehl aus dem Nachweis liefert Daten des Servers.',
    ],
    recommendation: [
      '- Machen Sie den Dienst nur für die Systeme erreichbar, die ihn benötigen: Binden Sie ihn an eine interne Adresse und sperren Sie alle anderen Quellen mit einer Firewall.',
      '- Schalten Sie die Authentifizierung ein, mit einem eigenen Konto mit wenigen Rechten für jede Anwendung.',
      '- Verschlüsseln Sie Verbindungen mit TLS.',
      '- Prüfen Sie Protokolle und Daten auf Zugriffe und Änderungen durch Dritte. Waren personenbezogene Daten offen zugänglich, kann eine Meldung an die Aufsichtsbehörde erforderlich sein.',
    ],
  },
})
