import { entry } from '../../entry.ts'

export const sqlInjection = entry({
  key: 'sql-injection',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-89'],
  owasp: ['A03:2021', 'A05:2025'],
  wstg: ['WSTG-INPV-05'],
  attack: ['T1190'],
  tags: ['web', 'injection', 'database'],
  rules: {
    nuclei: ['error-based-sql-injection', 'sqli-error-based', 'time-based-sqli'],
    burp: [0x00100200, 0x00100210],
    zap: ['40018', '40019', '40020', '40021', '40022', '40024', '40027'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Query_Parameterization_Cheat_Sheet.html',
    'https://owasp.org/www-community/attacks/SQL_Injection',
    'https://cwe.mitre.org/data/definitions/89.html',
  ],
  guidance: [
    '- Confirm with two requests that differ only in a condition (`AND 1=1`, `AND 1=2`): a stable difference in the response proves injection. A single error message does not.',
    '- For time-based results, repeat with several delays (0, 5, 10 seconds) and compare medians. Slow applications and rate limits cause most false positives.',
    '- A numeric parameter that tolerates arithmetic (`id=7-1` shows record 6) is quiet proof that changes nothing.',
    '- Extract only what proves the impact, such as the database version and the name of the database user. Never use `OR 1=1` in statements that may update or delete.',
    '- Lower the severity if the function requires a sign-in (PR:L) or the database user can only read.',
  ],
  en: {
    title: 'SQL injection',
    summary:
      'The application inserts input into SQL statements without separating data from code. Attackers can read and change the database.',
    description: [
      'The application builds SQL statements by joining text with values from the request. A value that contains SQL syntax changes the meaning of the statement instead of being treated as data.',
      'The affected parameters accept such values. The database executed the injected conditions, as the evidence shows.',
    ],
    impact: [
      "Attackers can read all data that the application's database user can read, including personal data and password hashes. Depending on the rights of that user, they can also change or delete data, sign in as other users, or run commands on the database server.",
    ],
    reproduction: [
      '1. Send the affected request with its original value and note the response.',
      '2. Append a condition that is always true to the value, then one that is always false.',
      '3. Compare the responses: they differ because the database evaluates the condition.',
    ],
    recommendation: [
      '- Use parameterized queries (prepared statements) for every statement that contains a value. Object-relational mappers do this unless a statement is joined by hand.',
      '- Take names of tables and columns, which cannot be parameters, from a fixed list in the code.',
      '- Search the code for other statements that are built by joining text, and fix them in the same way.',
      "- Give the application's database user only the rights that it needs. It must not own the schema or be a database administrator.",
      '- Input validation and a web application firewall are additional layers. They do not replace parameterized queries.',
    ],
  },
  de: {
    title: 'SQL-Injection',
    summary:
      'Die Anwendung setzt Eingaben in SQL-Anweisungen ein, ohne Daten und Code zu trennen. Angreifer können die Datenbank auslesen und verändern.',
    description: [
      'Die Anwendung baut SQL-Anweisungen zusammen, indem sie Text mit Werten aus der Anfrage verkettet. Enthält ein Wert SQL-Syntax, verändert er die Bedeutung der Anweisung, statt als reiner Wert behandelt zu werden.',
      'Die betroffenen Parameter nehmen solche Werte an. Wie die Nachweise zeigen, hat die Datenbank die eingeschleusten Bedingungen ausgeführt.',
    ],
    impact: [
      'Angreifer können alle Daten lesen, auf die der Datenbankbenutzer der Anwendung zugreifen darf, darunter personenbezogene Daten und Passwort-Hashes. Je nach Rechten dieses Benutzers können sie Daten auch ändern oder löschen, sich als andere Benutzer anmelden oder Befehle auf dem Datenbankserver ausführen.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit dem ursprünglichen Wert und halten Sie die Antwort fest.',
      '2. Hängen Sie an den Wert zuerst eine Bedingung an, die immer wahr ist, und danach eine, die immer falsch ist.',
      '3. Vergleichen Sie die Antworten: Sie unterscheiden sich, weil die Datenbank die Bedingung auswertet.',
    ],
    recommendation: [
      '- Verwenden Sie für jede Anweisung, die einen Wert enthält, parametrisierte Abfragen (Prepared Statements). Objektrelationale Mapper tun das, solange eine Anweisung nicht von Hand zusammengesetzt wird.',
      '- Namen von Tabellen und Spalten lassen sich nicht als Parameter übergeben. Entnehmen Sie sie einer festen Liste im Code.',
      '- Suchen Sie im Code nach weiteren Anweisungen, die durch Verkettung entstehen, und korrigieren Sie diese auf dieselbe Weise.',
      '- Geben Sie dem Datenbankbenutzer der Anwendung nur die Rechte, die er benötigt. Er darf weder Eigentümer des Schemas noch Administrator der Datenbank sein.',
      '- Eingabevalidierung und eine Web Application Firewall sind zusätzliche Schutzschichten. Sie ersetzen parametrisierte Abfragen nicht.',
    ],
  },
})
