import { entry } from '../../entry.ts'

export const debugInformation = entry({
  key: 'debug-information',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cwe: ['CWE-209', 'CWE-489'],
  owasp: ['A05:2021', 'A10:2025', 'A02:2025'],
  wstg: ['WSTG-ERRH-01', 'WSTG-ERRH-02'],
  attack: ['T1592'],
  tags: ['web', 'configuration'],
  rules: {
    nuclei: [
      'laravel-debug-enabled',
      'phpinfo-files',
      'springboot-env',
      'springboot-heapdump',
      'springboot-configprops',
      'springboot-mappings',
      'springboot-beans',
      'springboot-threaddump',
      'springboot-httptrace',
      'springboot-trace',
      'springboot-loggers',
      'springboot-logfile',
    ],
    burp: [0x00100800],
    zap: ['10023', '90022', '40042'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    'https://docs.spring.io/spring-boot/reference/actuator/endpoints.html',
    'https://cwe.mitre.org/data/definitions/209.html',
    'https://cwe.mitre.org/data/definitions/489.html',
  ],
  guidance: [
    '- Generic error pages with status 500 are not a finding. Look for stack traces, SQL statements, paths, versions, configuration.',
    '- ZAP\'s rule for error messages matches words such as "error" in normal pages. Read the response.',
    "- Spring Boot: `health` and `info` without details are harmless. `heapdump` and `env` can contain passwords: raise the severity to high, and download a heap dump only with the client's consent.",
    '- Consoles that run code (Werkzeug, Symfony profiler, Jolokia) are critical and belong in a separate finding.',
  ],
  en: {
    title: 'Debugging functions and detailed error messages are accessible',
    summary: 'The application reveals technical details that are intended for developers.',
    description: [
      'The application shows detailed error messages, or provides debugging and monitoring functions without access control. The evidence shows the disclosed details, such as stack traces, file paths, versions, database statements or configuration.',
    ],
    impact: [
      'Attackers learn how the application is built and can prepare attacks more precisely. Debugging and monitoring functions may also contain passwords, keys or user data.',
    ],
    reproduction: [
      '1. Send the request from the evidence.',
      '2. The response contains technical details of the application.',
    ],
    recommendation: [
      '- Switch off debug mode in production, for example `DEBUG=False` (Django), `APP_DEBUG=false` (Laravel) or `customErrors mode="RemoteOnly"` (ASP.NET).',
      '- Show users a general message with a reference number, and write details to the log only.',
      '- Remove debugging functions from production systems. Make monitoring functions accessible only from the internal network and after signing in. With Spring Boot, limit `management.endpoints.web.exposure.include`.',
      '- Check whether passwords or keys were visible, and replace them.',
    ],
  },
  de: {
    title: 'Debug-Funktionen und detaillierte Fehlermeldungen sind zugänglich',
    summary: 'Die Anwendung gibt technische Details preis, die für Entwickler bestimmt sind.',
    description: [
      'Die Anwendung zeigt ausführliche Fehlermeldungen oder stellt Debug- und Überwachungsfunktionen ohne Zugriffsschutz bereit. Der Nachweis zeigt die offengelegten Details, etwa Stacktraces, Dateipfade, Versionen, Datenbankanweisungen oder Konfiguration.',
    ],
    impact: [
      'Angreifer erfahren, wie die Anwendung aufgebaut ist, und können Angriffe gezielter vorbereiten. Debug- und Überwachungsfunktionen können zudem Passwörter, Schlüssel oder Daten von Benutzern enthalten.',
    ],
    reproduction: [
      '1. Senden Sie die Anfrage aus dem Nachweis.',
      '2. Die Antwort enthält technische Details der Anwendung.',
    ],
    recommendation: [
      '- Schalten Sie den Debug-Modus in Produktivumgebungen ab, zum Beispiel mit `DEBUG=False` (Django), `APP_DEBUG=false` (Laravel) oder `customErrors mode="RemoteOnly"` (ASP.NET).',
      '- Zeigen Sie Benutzern eine allgemeine Meldung mit einer Referenznummer und schreiben Sie Details nur ins Protokoll.',
      '- Entfernen Sie Debug-Funktionen von Produktivsystemen. Machen Sie Überwachungsfunktionen nur aus dem internen Netz und nach Anmeldung zugänglich. Schränken Sie bei Spring Boot `management.endpoints.web.exposure.include` ein.',
      '- Prüfen Sie, ob Passwörter oder Schlüssel sichtbar waren, und ersetzen Sie diese.',
    ],
  },
})
