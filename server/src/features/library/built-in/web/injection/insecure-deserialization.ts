import { entry } from '../../entry.ts'

export const insecureDeserialization = entry({
  key: 'insecure-deserialization',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-502'],
  owasp: ['A08:2021', 'A08:2025'],
  wstg: ['WSTG-INPV-11'],
  attack: ['T1190'],
  tags: ['web', 'injection'],
  rules: { burp: [0x00400900], zap: ['90002'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
    'https://portswigger.net/web-security/deserialization',
    'https://learn.microsoft.com/en-us/dotnet/standard/serialization/binaryformatter-security-guide',
    'https://cwe.mitre.org/data/definitions/502.html',
  ],
  guidance: [
    '- Scanners report every serialized object in a message. That is not a vulnerability by itself: it may be signed, or checked before it is read.',
    '- Prove it without code execution first, for example with an object that causes a DNS query (URLDNS for Java).',
    '- Identify formats by their first bytes: `rO0AB` (Java, Base64), `AAEAAAD/////` (.NET BinaryFormatter), `O:8:"..."` (PHP), `gASV` (Python pickle).',
    '- For ASP.NET ViewState, check whether the validation key is known or validation is off.',
  ],
  en: {
    title: 'Insecure deserialization',
    summary:
      'The application turns data from the request into objects without checking it. Attackers can run their own code on the server.',
    description: [
      'The application accepts serialized objects of its programming language from users and restores them. Restoring an object runs code of its classes. Attackers can choose classes and values that trigger unintended actions.',
    ],
    impact: [
      "Depending on the available classes, attackers can run commands on the server with the rights of the application, change the application's state or overload the server.",
    ],
    reproduction: [
      '1. Replace the serialized value in the affected request with the object from the evidence.',
      "2. The server restores the object, and the tester's server receives the DNS query that this causes.",
    ],
    recommendation: [
      '- Use a pure data format such as JSON with a fixed schema instead of serialized objects.',
      '- If serialized objects cannot be avoided, sign them on the server, check the signature before they are restored, and allow only the expected classes, for example with `ObjectInputFilter` in Java.',
      '- Do not use `BinaryFormatter` (.NET), `pickle` (Python), `unserialize` (PHP) or `yaml.load` without a safe loader for data from users.',
      '- Update libraries that contain classes known to enable such attacks, and run the application with minimal rights.',
    ],
  },
  de: {
    title: 'Unsichere Deserialisierung',
    summary:
      'Die Anwendung wandelt Daten aus der Anfrage ungeprüft in Objekte um. Angreifer können eigenen Code auf dem Server ausführen.',
    description: [
      'Die Anwendung nimmt serialisierte Objekte ihrer Programmiersprache von Benutzern entgegen und stellt sie wieder her. Dabei läuft Code der enthaltenen Klassen. Angreifer können Klassen und Werte so wählen, dass nicht vorgesehene Aktionen ausgeführt werden.',
    ],
    impact: [
      'Je nach verfügbaren Klassen können Angreifer Befehle mit den Rechten der Anwendung auf dem Server ausführen, den Zustand der Anwendung verändern oder den Server überlasten.',
    ],
    reproduction: [
      '1. Ersetzen Sie den serialisierten Wert in der betroffenen Anfrage durch das Objekt aus dem Nachweis.',
      '2. Der Server stellt das Objekt wieder her, und der Server des Testers empfängt die dadurch ausgelöste DNS-Abfrage.',
    ],
    recommendation: [
      '- Verwenden Sie statt serialisierter Objekte ein reines Datenformat wie JSON mit festem Schema.',
      '- Lassen sich serialisierte Objekte nicht vermeiden, signieren Sie sie auf dem Server, prüfen Sie die Signatur vor dem Wiederherstellen und erlauben Sie nur die erwarteten Klassen, in Java zum Beispiel mit `ObjectInputFilter`.',
      '- Verwenden Sie für Daten von Benutzern kein `BinaryFormatter` (.NET), `pickle` (Python), `unserialize` (PHP) oder `yaml.load` ohne sicheren Loader.',
      '- Aktualisieren Sie Bibliotheken, deren Klassen für solche Angriffe bekannt sind, und betreiben Sie die Anwendung mit wenigen Rechten.',
    ],
  },
})
