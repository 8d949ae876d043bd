import { entry } from '../../entry.ts'

export const unrestrictedFileUpload = entry({
  key: 'unrestricted-file-upload',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-434'],
  owasp: ['A04:2021', 'A06:2025'],
  wstg: ['WSTG-BUSL-08', 'WSTG-BUSL-09'],
  attack: ['T1190', 'T1505.003'],
  tags: ['web', 'files'],
  rules: {},
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
    'https://owasp.org/www-community/vulnerabilities/Unrestricted_File_Upload',
    'https://cwe.mitre.org/data/definitions/434.html',
  ],
  guidance: [
    "- Prove execution with a file that only prints a fixed text (`<?php echo 6*7; ?>`). Do not leave web shells on the client's systems, and note every uploaded file for clean-up.",
    '- If the file is stored but not executed or served, report what remains: stored XSS through HTML or SVG, malware for other users, or overwriting files.',
    '- Try double extensions, upper case, trailing dots and spaces, a forged `Content-Type`, and archives with paths (`../`).',
    '- Test malware detection only with the EICAR file.',
  ],
  en: {
    title: 'Unrestricted file upload',
    summary: 'The application accepts files of dangerous types. Attackers can upload a file that the server executes.',
    description: [
      'The application does not sufficiently check uploaded files, or relies on the name and type that the browser sends. It stores the files in a place where the web server executes them or delivers them with a type that attackers choose.',
    ],
    impact: [
      'Attackers with access to the upload can run their own code on the server, and so read and change data of the application. Files that browsers execute, such as HTML or SVG, allow attacks on other users of the application.',
    ],
    reproduction: [
      '1. Sign in and upload the file from the evidence with the affected function.',
      '2. Open the address of the stored file.',
      '3. The server executes the file, as its output shows.',
    ],
    recommendation: [
      '- Accept only the required file types. Check the content on the server, and do not rely on the name or the `Content-Type` of the request.',
      '- Store files under generated names outside the folders of the web server, or in an object store, and never in a folder where scripts are executed.',
      '- Deliver files with a fixed content type, `Content-Disposition: attachment` and `X-Content-Type-Options: nosniff`, preferably from a separate domain.',
      '- Limit size and number of files, and check them for malware before other users can download them.',
    ],
  },
  de: {
    title: 'Unzureichend eingeschränkter Datei-Upload',
    summary:
      'Die Anwendung nimmt Dateien gefährlicher Typen an. Angreifer können eine Datei hochladen, die der Server ausführt.',
    description: [
      'Die Anwendung prüft hochgeladene Dateien nicht ausreichend oder verlässt sich auf Namen und Typ, die der Browser sendet. Sie speichert die Dateien an einem Ort, an dem der Webserver sie ausführt oder mit einem vom Angreifer gewählten Typ ausliefert.',
    ],
    impact: [
      'Angreifer mit Zugriff auf den Upload können eigenen Code auf dem Server ausführen und so Daten der Anwendung lesen und ändern. Dateien, die Browser ausführen, etwa HTML oder SVG, ermöglichen Angriffe auf andere Benutzer der Anwendung.',
    ],
    reproduction: [
      '1. Melden Sie sich an und laden Sie die Datei aus dem Nachweis mit der betroffenen Funktion hoch.',
      '2. Öffnen Sie die Adresse der gespeicherten Datei.',
      '3. Der Server führt die Datei aus, wie ihre Ausgabe zeigt.',
    ],
    recommendation: [
      '- Lassen Sie nur die benötigten Dateitypen zu. Prüfen Sie den Inhalt auf dem Server und verlassen Sie sich nicht auf den Namen oder den `Content-Type` der Anfrage.',
      '- Speichern Sie Dateien unter generierten Namen außerhalb der Verzeichnisse des Webservers oder in einem Objektspeicher, niemals in einem Verzeichnis, in dem Skripte ausgeführt werden.',
      '- Liefern Sie Dateien mit festem Content-Type, `Content-Disposition: attachment` und `X-Content-Type-Options: nosniff` aus, vorzugsweise von einer eigenen Domain.',
      '- Begrenzen Sie Größe und Anzahl der Dateien und prüfen Sie sie auf Schadsoftware, bevor andere Benutzer sie herunterladen können.',
    ],
  },
})
