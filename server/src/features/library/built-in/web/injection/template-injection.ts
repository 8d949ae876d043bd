import { entry } from '../../entry.ts'

export const templateInjection = entry({
  key: 'template-injection',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-1336'],
  owasp: ['A03:2021', 'A05:2025'],
  wstg: ['WSTG-INPV-18'],
  attack: ['T1190'],
  tags: ['web', 'injection'],
  rules: { nuclei: ['reflection-ssti'], burp: [0x00101080], zap: ['90035', '90036'] },
  references: [
    'https://portswigger.net/web-security/server-side-template-injection',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server_Side_Template_Injection',
    'https://cwe.mitre.org/data/definitions/1336.html',
  ],
  guidance: [
    '- Confirm with an uncommon product (`{{1337*7331}}`) and check that the result, not the expression, appears in the response of the server.',
    '- Angular, Vue and similar libraries evaluate `{{...}}` in the browser. Look at the raw response: if the server returns the expression, the finding is client-side injection, not this one.',
    '- Determine the engine from its errors and from expressions that differ between engines, before you try to run commands.',
    '- A sandboxed engine lowers the impact. Prove what is reachable.',
  ],
  en: {
    title: 'Server-side template injection',
    summary:
      'The application inserts input into templates that the server evaluates. Attackers can run their own code on the server.',
    description: [
      'The application makes values of the request part of a template instead of passing them to the template as data. The template engine evaluates expressions in these values on the server.',
    ],
    impact: [
      'Most template engines give access to objects of the programming language. Attackers can use them to read the configuration and secrets of the application and, in many cases, to run commands on the server with the rights of the application.',
    ],
    reproduction: [
      '1. Send the affected request with the calculation from the evidence as the value.',
      '2. The response contains the result of the calculation, because the server evaluated it.',
    ],
    recommendation: [
      '- Keep templates fixed in the code and pass values to them as variables only. Never join a template with input.',
      '- If users must write templates, use an engine without logic, such as Mustache, or run the rendering in an isolated environment without secrets and network access.',
      '- Update the template engine, and switch on its sandbox as an additional layer where it has one.',
    ],
  },
  de: {
    title: 'Serverseitige Template-Injection',
    summary:
      'Die Anwendung setzt Eingaben in Templates ein, die der Server auswertet. Angreifer können eigenen Code auf dem Server ausführen.',
    description: [
      'Die Anwendung macht Werte aus der Anfrage zum Teil eines Templates, statt sie dem Template als Daten zu übergeben. Die Template-Engine wertet Ausdrücke in diesen Werten auf dem Server aus.',
    ],
    impact: [
      'Die meisten Template-Engines erlauben den Zugriff auf Objekte der Programmiersprache. Angreifer können darüber Konfiguration und Geheimnisse der Anwendung lesen und in vielen Fällen Befehle mit den Rechten der Anwendung auf dem Server ausführen.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit der Rechenaufgabe aus dem Nachweis als Wert.',
      '2. Die Antwort enthält das Ergebnis der Rechnung, weil der Server sie ausgewertet hat.',
    ],
    recommendation: [
      '- Legen Sie Templates fest im Code ab und übergeben Sie Werte nur als Variablen. Verketten Sie ein Template niemals mit Eingaben.',
      '- Müssen Benutzer Templates schreiben, verwenden Sie eine Engine ohne Logik wie Mustache, oder führen Sie das Rendern in einer isolierten Umgebung ohne Geheimnisse und Netzwerkzugriff aus.',
      '- Aktualisieren Sie die Template-Engine und schalten Sie, sofern vorhanden, ihre Sandbox als zusätzliche Schutzschicht ein.',
    ],
  },
})
