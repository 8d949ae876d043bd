import { entry } from '../../entry.ts'

export const vulnerableJavascript = entry({
  key: 'vulnerable-javascript',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cwe: ['CWE-1395'],
  owasp: ['A06:2021', 'A03:2025'],
  wstg: [],
  attack: ['T1059.007'],
  tags: ['web', 'javascript', 'components'],
  rules: { nessus: [136929], burp: [0x00500080], zap: ['10003'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
    'https://retirejs.github.io/retire.js/',
    'https://developer.mozilla.org/en-US/docs/Web/Security/Defenses/Subresource_Integrity',
    'https://cwe.mitre.org/data/definitions/1395.html',
  ],
  guidance: [
    '- Scanners compare versions only. Check whether the application uses the affected function in the affected way: for jQuery before 3.5.0, HTML from untrusted sources must be passed to DOM functions such as `html()` or `append()`.',
    '- Some vendors patch without changing the version, and bundles can contain a version string of code that is not in use.',
    '- If the vulnerability cannot be reached, rate it low and state that the library is out of date.',
    '- If it can be exploited, report cross-site scripting with this entry as the cause.',
  ],
  en: {
    title: 'JavaScript libraries with known vulnerabilities',
    summary: 'The application delivers outdated JavaScript libraries for which vulnerabilities have been published.',
    description: [
      'The application includes the library versions that the evidence lists. Vulnerabilities in these versions are publicly known, and fixed versions are available.',
    ],
    impact: [
      'If the application uses the affected functions with data that attackers control, they can exploit the known vulnerabilities, in most cases for cross-site scripting. Outdated versions also receive no fixes for future vulnerabilities.',
    ],
    reproduction: [
      '1. Open the address of the library that the evidence names.',
      '2. The file contains the version number of an affected version.',
    ],
    recommendation: [
      '- Update the libraries to a version that the project supports, and remove unused ones.',
      '- Test the application after major upgrades. For jQuery, the jQuery Migrate plugin helps find incompatible code.',
      '- Check dependencies automatically in the build, for example with `npm audit`, OWASP Dependency-Check or Retire.js, and define how soon findings must be fixed.',
      '- Load libraries from your own server, or protect libraries on other servers with Subresource Integrity.',
    ],
  },
  de: {
    title: 'JavaScript-Bibliotheken mit bekannten Schwachstellen',
    summary:
      'Die Anwendung liefert veraltete JavaScript-Bibliotheken aus, zu denen Schwachstellen veröffentlicht sind.',
    description: [
      'Die Anwendung bindet die im Nachweis aufgeführten Bibliotheksversionen ein. Schwachstellen dieser Versionen sind öffentlich bekannt, und korrigierte Versionen sind verfügbar.',
    ],
    impact: [
      'Verwendet die Anwendung die betroffenen Funktionen mit Daten, die Angreifer kontrollieren, lassen sich die bekannten Schwachstellen ausnutzen, meist für Cross-Site-Scripting. Veraltete Bibliotheken erhalten zudem keine Korrekturen für künftige Schwachstellen.',
    ],
    reproduction: [
      '1. Öffnen Sie die im Nachweis genannte Adresse der Bibliothek.',
      '2. Die Datei enthält die Versionsnummer einer betroffenen Version.',
    ],
    recommendation: [
      '- Aktualisieren Sie die Bibliotheken auf eine vom Projekt unterstützte Version und entfernen Sie ungenutzte.',
      '- Testen Sie die Anwendung nach größeren Versionssprüngen. Bei jQuery hilft jQuery Migrate, inkompatiblen Code zu finden.',
      '- Prüfen Sie Abhängigkeiten automatisch im Build, zum Beispiel mit `npm audit`, OWASP Dependency-Check oder Retire.js, und legen Sie fest, wie schnell Befunde behoben werden.',
      '- Laden Sie Bibliotheken vom eigenen Server oder sichern Sie solche von fremden Servern mit Subresource Integrity ab.',
    ],
  },
})
