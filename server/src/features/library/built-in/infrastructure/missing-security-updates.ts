import { entry } from '../entry.ts'

export const missingSecurityUpdates = entry({
  key: 'missing-security-updates',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-1395'],
  owasp: ['A06:2021', 'A03:2025'],
  wstg: [],
  attack: ['T1190', 'T1210'],
  tags: ['infrastructure', 'updates'],
  rules: { nuclei: ['CVE-*'], nessus: [97833] },
  references: [
    'https://www.cisa.gov/known-exploited-vulnerabilities-catalog',
    'https://www.first.org/epss/',
    'https://csrc.nist.gov/pubs/sp/800/40/r4/final',
    'https://cwe.mitre.org/data/definitions/1395.html',
  ],
  guidance: [
    '- Results based only on a version are often wrong: distributions backport fixes without changing the upstream version number. Confirm with the package version, or with a harmless check of the vulnerability.',
    '- Group by system or product, not by CVE number. The client installs one update.',
    '- Take severity and vector from the worst vulnerability that applies, and mark those in the CISA KEV catalogue.',
    '- Use exploits only after consent, and never ones that can crash a service.',
  ],
  en: {
    title: 'Missing security updates',
    summary: 'Security updates are missing on systems. Attackers can exploit publicly known vulnerabilities.',
    description: [
      'The affected systems run software versions with publicly known vulnerabilities for which the vendor provides updates. The evidence lists systems, versions and vulnerabilities.',
    ],
    impact: [
      'Attackers can use published descriptions and exploit code. Depending on the vulnerability, they can take over systems, read data or interrupt services. Automated attacks often begin within days of publication.',
    ],
    reproduction: [
      '1. Determine the installed version on the affected system.',
      '2. Compare it with the vendor advisory that the evidence names. The system has an affected version.',
    ],
    recommendation: [
      '- Install the updates, beginning with systems that are accessible from the internet and with vulnerabilities that are known to be exploited.',
      "- If an update is not possible at short notice, apply the vendor's workaround or restrict access to the service.",
      '- Define deadlines for updates, for example 48 hours for exploited vulnerabilities on exposed systems, 7 days for critical ones and 30 days for the rest, and monitor compliance.',
      '- Scan all systems regularly with credentials, so that missing updates are noticed.',
      '- Check systems with an exploited vulnerability for signs of an intrusion.',
    ],
  },
  de: {
    title: 'Fehlende Sicherheitsupdates',
    summary: 'Auf Systemen fehlen Sicherheitsupdates. Angreifer können öffentlich bekannte Schwachstellen ausnutzen.',
    description: [
      'Auf den betroffenen Systemen laufen Softwareversionen mit öffentlich bekannten Schwachstellen, für die der Hersteller Updates bereitstellt. Der Nachweis führt Systeme, Versionen und Schwachstellen auf.',
    ],
    impact: [
      'Angreifer können die Schwachstellen mit öffentlich verfügbaren Beschreibungen und Exploits ausnutzen. Je nach Schwachstelle können sie Systeme übernehmen, Daten lesen oder Dienste unterbrechen. Automatisierte Angriffe beginnen häufig innerhalb weniger Tage nach der Veröffentlichung.',
    ],
    reproduction: [
      '1. Ermitteln Sie die installierte Version auf dem betroffenen System.',
      '2. Vergleichen Sie sie mit dem im Nachweis genannten Sicherheitshinweis des Herstellers. Das System verwendet eine betroffene Version.',
    ],
    recommendation: [
      '- Spielen Sie die Updates ein, beginnend mit aus dem Internet erreichbaren Systemen und mit Schwachstellen, die bekanntermaßen ausgenutzt werden.',
      '- Ist ein Update kurzfristig nicht möglich, wenden Sie die Übergangslösung des Herstellers an oder schränken Sie den Zugriff auf den Dienst ein.',
      '- Legen Sie Fristen für Updates fest, zum Beispiel 48 Stunden für ausgenutzte Schwachstellen auf erreichbaren Systemen, 7 Tage für kritische und 30 Tage für alle übrigen, und überwachen Sie deren Einhaltung.',
      '- Prüfen Sie alle Systeme regelmäßig mit authentifizierten Schwachstellenscans, damit fehlende Updates auffallen.',
      '- Untersuchen Sie Systeme mit einer ausgenutzten Schwachstelle auf Anzeichen eines Einbruchs.',
    ],
  },
})
