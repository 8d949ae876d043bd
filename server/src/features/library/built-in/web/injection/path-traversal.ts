import { entry } from '../../entry.ts'

export const pathTraversal = entry({
  key: 'path-traversal',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-22'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-ATHZ-01'],
  attack: ['T1190', 'T1083'],
  tags: ['web', 'injection', 'files'],
  rules: {
    nuclei: ['generic-linux-lfi', 'generic-windows-lfi', 'linux-lfi-fuzz', 'windows-lfi-fuzz', 'lfi-keyed'],
    burp: [0x00100300],
    zap: ['6'],
  },
  references: [
    'https://owasp.org/www-community/attacks/Path_Traversal',
    'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
    'https://portswigger.net/web-security/file-path-traversal',
    'https://cwe.mitre.org/data/definitions/22.html',
  ],
  guidance: [
    '- Read a file with known content (`/etc/passwd`, `C:\\Windows\\win.ini`) and compare it with the response for a path that does not exist.',
    '- Pages that quote the requested path in an error message are a common false positive.',
    '- Try encodings (`%2e%2e%2f`, `..%5c`, double encoding) and absolute paths.',
    '- If the application executes the file (inclusion instead of reading), the finding is remote code execution: raise the severity.',
    '- If files can be written or deleted, raise integrity and availability in the vector.',
  ],
  en: {
    title: 'Path traversal',
    summary:
      'The application builds file names from input without limiting them to one folder. Attackers can read other files on the server.',
    description: [
      "The application uses a value of the request as part of a file name. Sequences such as `../` leave the intended folder, so that the value can point to any file that the application's account can read.",
    ],
    impact: [
      'Attackers can read source code, configuration files with passwords and keys, logs and data of other users. With this knowledge, they can often take over the application or further systems.',
    ],
    reproduction: [
      '1. Send the affected request with the path from the evidence as the value.',
      '2. The response contains the content of a file outside the intended folder.',
    ],
    recommendation: [
      '- Do not use input as a file name. Store files under generated names, and look the name up by an identifier in the database.',
      '- Where a name is required, resolve the full path, including symbolic links, and check that it is below the intended folder before the file is opened.',
      '- Accept only names that match a strict pattern without path separators.',
      '- Run the application with an account that can read only its own files, and replace passwords and keys that could be read.',
    ],
  },
  de: {
    title: 'Path Traversal (Zugriff auf beliebige Dateien)',
    summary:
      'Die Anwendung bildet Dateinamen aus Eingaben, ohne sie auf ein Verzeichnis zu beschränken. Angreifer können andere Dateien des Servers lesen.',
    description: [
      'Die Anwendung verwendet einen Wert aus der Anfrage als Teil eines Dateinamens. Zeichenfolgen wie `../` verlassen das vorgesehene Verzeichnis, sodass der Wert auf jede Datei zeigen kann, die das Konto der Anwendung lesen darf.',
    ],
    impact: [
      'Angreifer können Quellcode, Konfigurationsdateien mit Passwörtern und Schlüsseln, Protokolle und Daten anderer Benutzer lesen. Mit diesem Wissen können sie häufig die Anwendung oder weitere Systeme übernehmen.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit dem Pfad aus dem Nachweis als Wert.',
      '2. Die Antwort enthält den Inhalt einer Datei außerhalb des vorgesehenen Verzeichnisses.',
    ],
    recommendation: [
      '- Verwenden Sie Eingaben nicht als Dateinamen. Speichern Sie Dateien unter generierten Namen und ermitteln Sie den Namen über eine Kennung in der Datenbank.',
      '- Ist ein Name nötig, lösen Sie den vollständigen Pfad einschließlich symbolischer Links auf und prüfen Sie vor dem Öffnen, ob er unterhalb des vorgesehenen Verzeichnisses liegt.',
      '- Nehmen Sie nur Namen an, die einem strengen Muster ohne Pfadtrenner entsprechen.',
      '- Betreiben Sie die Anwendung mit einem Konto, das nur ihre eigenen Dateien lesen darf, und ersetzen Sie Passwörter und Schlüssel, die gelesen werden konnten.',
    ],
  },
})
