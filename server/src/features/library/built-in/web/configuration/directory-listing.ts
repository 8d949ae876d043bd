import { entry } from '../../entry.ts'

export const directoryListing = entry({
  key: 'directory-listing',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cwe: ['CWE-548'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-CONF-02', 'WSTG-CONF-04'],
  attack: [],
  tags: ['web', 'files'],
  rules: { nuclei: ['dir-listing', 'directory-listing'], nessus: [40984], burp: [0x00600100], zap: ['0', '10033'] },
  references: [
    'https://httpd.apache.org/docs/current/mod/mod_autoindex.html',
    'https://nginx.org/en/docs/http/ngx_http_autoindex_module.html',
    'https://cwe.mitre.org/data/definitions/548.html',
  ],
  guidance: [
    '- Open the folder and look for files that are not linked. Listings of icons, scripts or public downloads are informational.',
    '- Intended listings (package mirrors, public archives) are not a finding.',
    '- Report confidential files separately with the entry for exposed files.',
  ],
  en: {
    title: 'Directory listing is enabled',
    summary: 'The web server lists the content of folders. Attackers can find files that no page links to.',
    description: [
      'If a folder has no index page, the web server creates a list of all files in it. The affected folders can be viewed without signing in.',
    ],
    impact: [
      'Attackers obtain names of files and folders, and can download files that were not meant to be found, such as backups, exports or uploads of users.',
    ],
    reproduction: [
      '1. Open the affected address in a browser.',
      '2. The web server shows a list of the files in the folder.',
    ],
    recommendation: [
      '- Switch off listings in the configuration of the web server: `Options -Indexes` (Apache), `autoindex off` (nginx), or "Directory Browsing" (IIS).',
      '- Check the listed files, and remove those that are not required.',
      '- Protect confidential files with an access check in the application. A secret name does not protect a file.',
    ],
  },
  de: {
    title: 'Verzeichnisauflistung ist aktiviert',
    summary: 'Der Webserver zeigt den Inhalt von Verzeichnissen an. Angreifer finden Dateien, die nicht verlinkt sind.',
    description: [
      'Hat ein Verzeichnis keine Startseite, erzeugt der Webserver eine Liste aller enthaltenen Dateien. Die betroffenen Verzeichnisse sind ohne Anmeldung einsehbar.',
    ],
    impact: [
      'Angreifer erfahren die Namen von Dateien und Verzeichnissen und können Dateien herunterladen, die nicht gefunden werden sollten, zum Beispiel Sicherungskopien, Exporte oder Uploads von Benutzern.',
    ],
    reproduction: [
      '1. Öffnen Sie die betroffene Adresse in einem Browser.',
      '2. Der Webserver zeigt eine Liste der Dateien im Verzeichnis an.',
    ],
    recommendation: [
      '- Schalten Sie Auflistungen in der Konfiguration des Webservers ab: mit `Options -Indexes` (Apache), mit `autoindex off` (nginx) oder durch Deaktivieren von „Verzeichnis durchsuchen“ (IIS).',
      '- Prüfen Sie die aufgelisteten Dateien und entfernen Sie nicht benötigte.',
      '- Schützen Sie vertrauliche Dateien durch eine Zugriffsprüfung in der Anwendung. Ein unbekannter Name ist kein Schutz.',
    ],
  },
})
