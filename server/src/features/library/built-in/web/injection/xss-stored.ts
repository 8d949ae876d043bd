import { entry } from '../../entry.ts'

export const xssStored = entry({
  key: 'xss-stored',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:H/I:H/A:N',
  cwe: ['CWE-79'],
  owasp: ['A03:2021', 'A05:2025'],
  wstg: ['WSTG-INPV-02'],
  attack: ['T1059.007'],
  tags: ['web', 'injection', 'xss'],
  rules: { burp: [0x00200100], zap: ['40014'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-community/attacks/xss/',
    'https://github.com/cure53/DOMPurify',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  guidance: [
    '- Confirm with a second account that the script runs for other users. A script that only its author sees is at most a low finding.',
    '- Find all places that show the value: lists, e-mails, PDF exports, administration pages. One root cause, several assets.',
    '- Use a harmless script, such as one that changes the title of the page, and remove it after the test, since real users may open the page.',
    "- Uploaded SVG and HTML files that are served from the application's origin are stored XSS too.",
  ],
  en: {
    title: 'Stored cross-site scripting (XSS)',
    summary:
      'The application stores input and later shows it to other users without encoding it. A stored script runs in the browser of every user who opens the page.',
    description: [
      'Users can store values that contain HTML or JavaScript. When the application shows these values, it does not encode them, so that the browser runs them as part of the page.',
      'Unlike with a crafted link, victims only have to use the application as usual.',
    ],
    impact: [
      'An attacker with access to the input can act in the application as any user who opens the affected page: read data, change data and trigger actions. If an administrator opens it, this can lead to control of the whole application. The script can also store itself in other places and spread without further action.',
    ],
    reproduction: [
      '1. Sign in and store the value from the evidence in the affected field.',
      '2. Open the page that shows this field with another account.',
      '3. The browser of the second account runs the stored script.',
    ],
    recommendation: [
      '- Encode stored values when they are written into a page, for the context where they appear. Use the automatic encoding of the template engine everywhere.',
      '- If formatted text is required, sanitize the HTML on the server with a maintained library and an allowlist of elements and attributes.',
      '- Serve uploaded files from a separate domain, or with `Content-Disposition: attachment` and a fixed content type.',
      '- Search stored data for scripts that were already injected, and remove them.',
      '- Introduce a Content Security Policy without `unsafe-inline` as a second layer, and set `HttpOnly` for session cookies.',
    ],
  },
  de: {
    title: 'Gespeichertes Cross-Site-Scripting (Stored XSS)',
    summary:
      'Die Anwendung speichert Eingaben und zeigt sie anderen Benutzern ohne Kodierung an. Ein gespeichertes Skript läuft im Browser aller Benutzer, die die Seite öffnen.',
    description: [
      'Benutzer können Werte speichern, die HTML oder JavaScript enthalten. Bei der Anzeige kodiert die Anwendung diese Werte nicht, sodass der Browser sie als Teil der Seite ausführt.',
      'Anders als bei einem präparierten Link müssen die Opfer die Anwendung nur wie gewohnt benutzen.',
    ],
    impact: [
      'Ein Angreifer mit Zugriff auf das Eingabefeld kann in der Anwendung im Namen aller Benutzer handeln, die die betroffene Seite öffnen: Daten lesen, Daten ändern und Aktionen auslösen. Öffnet ein Administrator die Seite, kann das zur Kontrolle über die gesamte Anwendung führen. Das Skript kann sich zudem selbst an weiteren Stellen speichern und so ausbreiten.',
    ],
    reproduction: [
      '1. Melden Sie sich an und speichern Sie den Wert aus dem Nachweis im betroffenen Feld.',
      '2. Öffnen Sie mit einem anderen Konto die Seite, die dieses Feld anzeigt.',
      '3. Der Browser des zweiten Kontos führt das gespeicherte Skript aus.',
    ],
    recommendation: [
      '- Kodieren Sie gespeicherte Werte bei der Ausgabe passend zur Ausgabestelle. Nutzen Sie durchgängig die automatische Kodierung der Template-Engine.',
      '- Wird formatierter Text benötigt, bereinigen Sie das HTML auf dem Server mit einer gepflegten Bibliothek und einer Positivliste erlaubter Elemente und Attribute.',
      '- Liefern Sie hochgeladene Dateien von einer eigenen Domain aus oder mit `Content-Disposition: attachment` und festem Content-Type.',
      '- Durchsuchen Sie die gespeicherten Daten nach bereits eingeschleusten Skripten und entfernen Sie diese.',
      '- Führen Sie als zweite Schutzschicht eine Content Security Policy ohne `unsafe-inline` ein und setzen Sie `HttpOnly` für Sitzungscookies.',
    ],
  },
})
