import { entry } from '../../entry.ts'

export const osCommandInjection = entry({
  key: 'os-command-injection',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-78'],
  owasp: ['A03:2021', 'A05:2025'],
  wstg: ['WSTG-INPV-12'],
  attack: ['T1190', 'T1059'],
  tags: ['web', 'injection'],
  rules: { nuclei: ['cmdi-blind-oast-polyglot'], burp: [0x00100100], zap: ['90020', '90037'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
    'https://owasp.org/www-community/attacks/Command_Injection',
    'https://cwe.mitre.org/data/definitions/78.html',
  ],
  guidance: [
    "- Prove it with a delay or a DNS query to a name that you control, then with `id`, `whoami` or `hostname`. Do not read the client's files beyond what is agreed.",
    '- DNS queries may come from mail filters or log tools that resolve names in requests. Compare source addresses and times, and use a new name for each attempt.',
    '- For delays, vary the duration and repeat: the response time must follow.',
    '- Note the account that the command runs as, and whether it is in a container.',
  ],
  en: {
    title: 'Operating system command injection',
    summary: 'The application passes input to a command shell. Attackers can run their own commands on the server.',
    description: [
      'The application starts a program through a command shell and builds the command line from values of the request. Characters such as `;`, `|`, `&` or backticks end the intended command and start another one.',
    ],
    impact: [
      "Attackers can run any command with the rights of the application's account. They can read and change the application's data and configuration, obtain stored passwords and keys, and use the server to attack other systems in the network.",
    ],
    reproduction: [
      '1. Send the affected request with the value from the evidence.',
      '2. The server runs the injected command. The evidence shows its output, a delay that the value determines, or a query to a name that the tester controls.',
    ],
    recommendation: [
      '- Replace the command with a library of the programming language, so that no program has to be started.',
      '- If a program is required, start it without a shell and pass arguments as a list, for example with `execFile` (Node.js), `ProcessBuilder` (Java) or `subprocess.run([...])` (Python).',
      '- Accept only values that match a strict pattern, and put `--` before values that could be read as options.',
      '- Run the application with an account that has few rights, and limit outgoing connections of the server.',
      '- If there are signs of abuse, treat the passwords and keys stored on the server as compromised, and replace them.',
    ],
  },
  de: {
    title: 'Einschleusen von Betriebssystembefehlen (Command Injection)',
    summary:
      'Die Anwendung übergibt Eingaben an eine Kommandozeile. Angreifer können eigene Befehle auf dem Server ausführen.',
    description: [
      'Die Anwendung startet ein Programm über eine Shell und setzt die Befehlszeile aus Werten der Anfrage zusammen. Zeichen wie `;`, `|`, `&` oder Backticks beenden den vorgesehenen Befehl und beginnen einen weiteren.',
    ],
    impact: [
      'Angreifer können beliebige Befehle mit den Rechten des Anwendungskontos ausführen. Sie können Daten und Konfiguration der Anwendung lesen und ändern, gespeicherte Passwörter und Schlüssel erlangen und vom Server aus weitere Systeme im Netzwerk angreifen.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit dem Wert aus dem Nachweis.',
      '2. Der Server führt den eingeschleusten Befehl aus. Der Nachweis zeigt dessen Ausgabe, eine durch den Wert bestimmte Verzögerung oder eine Abfrage an einen vom Tester kontrollierten Namen.',
    ],
    recommendation: [
      '- Setzen Sie die Funktion des Befehls mit einer Bibliothek der Programmiersprache um, sodass kein Programm gestartet werden muss.',
      '- Ist ein Programm nötig, starten Sie es ohne Shell und übergeben Sie die Argumente als Liste, zum Beispiel mit `execFile` (Node.js), `ProcessBuilder` (Java) oder `subprocess.run([...])` (Python).',
      '- Nehmen Sie nur Werte an, die einem strengen Muster entsprechen, und stellen Sie Werten, die als Option gelesen werden könnten, `--` voran.',
      '- Betreiben Sie die Anwendung mit einem Konto mit wenigen Rechten und beschränken Sie ausgehende Verbindungen des Servers.',
      '- Gibt es Anzeichen für einen Missbrauch, gehen Sie davon aus, dass auf dem Server gespeicherte Passwörter und Schlüssel bekannt sind, und ersetzen Sie diese.',
    ],
  },
})
