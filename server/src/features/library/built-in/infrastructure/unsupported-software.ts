import { entry } from '../entry.ts'

export const unsupportedSoftware = entry({
  key: 'unsupported-software',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-1104'],
  owasp: ['A06:2021', 'A03:2025'],
  wstg: [],
  attack: ['T1190', 'T1210'],
  tags: ['infrastructure', 'updates'],
  rules: { nessus: [33850, 34460, 47709, 58987, 108797] },
  references: [
    'https://endoflife.date/',
    'https://learn.microsoft.com/en-us/lifecycle/products/',
    'https://cwe.mitre.org/data/definitions/1104.html',
  ],
  guidance: [
    '- Confirm the version on the system or with the client. Banners can be wrong, and distributions support old versions longer than the upstream project does (Debian LTS, Ubuntu Pro, RHEL).',
    '- Ask whether the client pays for extended support (Windows ESU): such systems still receive updates.',
    '- Rate by reachability and by published vulnerabilities: an isolated system without known remote vulnerabilities is medium or high.',
  ],
  en: {
    title: 'Software is no longer supported by its vendor',
    summary: 'Systems use software that no longer receives security updates. New vulnerabilities stay open.',
    description: [
      'The vendor has ended support for the software versions that the evidence lists. Vulnerabilities found since then are not fixed in these versions.',
    ],
    impact: [
      'Attackers can exploit published vulnerabilities for which there will be no update. Depending on the vulnerability, they can take over the system and use it to attack others. The risk grows with each vulnerability that is discovered.',
    ],
    reproduction: [
      '1. Determine the version of the software on the affected system.',
      '2. Compare it with the support periods that the vendor publishes. Support has ended.',
    ],
    recommendation: [
      '- Replace the software with a supported version. Plan the change with a date and an owner, beginning with systems that are accessible from the internet.',
      '- Until then, purchase extended support if it is available, isolate the system in its own network segment, allow only the necessary connections, and monitor it more closely.',
      '- Keep an inventory of all software with its end of support, and start replacements at least a year in advance.',
    ],
  },
  de: {
    title: 'Software ohne Herstellerunterstützung',
    summary:
      'Systeme verwenden Software, die keine Sicherheitsupdates mehr erhält. Neue Schwachstellen bleiben dauerhaft offen.',
    description: [
      'Der Hersteller hat die Unterstützung für die im Nachweis aufgeführten Softwareversionen beendet. Seither bekannt gewordene Schwachstellen werden in diesen Versionen nicht behoben.',
    ],
    impact: [
      'Angreifer können veröffentlichte Schwachstellen ausnutzen, für die es kein Update geben wird. Je nach Schwachstelle können sie das System übernehmen und von dort weitere angreifen. Das Risiko wächst mit jeder neu entdeckten Schwachstelle.',
    ],
    reproduction: [
      '1. Ermitteln Sie die Version der Software auf dem betroffenen System.',
      '2. Vergleichen Sie sie mit den vom Hersteller veröffentlichten Supportzeiträumen. Die Unterstützung ist beendet.',
    ],
    recommendation: [
      '- Ersetzen Sie die Software durch eine unterstützte Version. Planen Sie die Ablösung mit Termin und verantwortlicher Person und beginnen Sie mit Systemen, die aus dem Internet erreichbar sind.',
      '- Erwerben Sie bis dahin, sofern verfügbar, verlängerten Support, isolieren Sie das System in einem eigenen Segment, erlauben Sie nur notwendige Verbindungen und überwachen Sie es genauer.',
      '- Führen Sie ein Verzeichnis aller Software mit deren Supportende und beginnen Sie Ablösungen mindestens ein Jahr im Voraus.',
    ],
  },
})
