import { entry } from '../entry.ts'

export const emailSpoofing = entry({
  key: 'email-spoofing',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cwe: ['CWE-290'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1672', 'T1566'],
  tags: ['infrastructure', 'email', 'dns'],
  rules: { nuclei: ['spoofable-spf-records-ptr'] },
  references: [
    'https://www.rfc-editor.org/rfc/rfc7489',
    'https://www.rfc-editor.org/rfc/rfc7208',
    'https://www.rfc-editor.org/rfc/rfc6376',
    'https://www.ncsc.gov.uk/collection/email-security-and-anti-spoofing',
    'https://cwe.mitre.org/data/definitions/290.html',
  ],
  guidance: [
    '- Query the records by hand: `dig TXT DOMAIN`, `dig TXT _dmarc.DOMAIN`. A policy of the organizational domain also applies to subdomains (`sp`).',
    '- `p=none` only reports; it does not protect. `~all` in SPF is sufficient if DMARC enforces.',
    '- Only send a forged test mail if that is agreed, and to an agreed mailbox.',
    '- Also check domains that send no mail: forgers use them too.',
  ],
  en: {
    title: 'Domain is insufficiently protected against forged e-mails',
    summary:
      'The domain does not ensure that only authorized servers send e-mails in its name. Attackers can forge senders.',
    description: [
      'With SPF, DKIM and DMARC, the owner of a domain defines which servers may send e-mails in its name and how recipients treat e-mails from others. For the affected domain, records are missing, or they do not instruct recipients to reject forged e-mails. The evidence shows the records.',
    ],
    impact: [
      'Attackers can send e-mails with addresses of the organization as the sender. Recipients, including employees, customers and partners, cannot recognize the forgery by the address. This is used for fraud with payment instructions, for phishing and to spread malware.',
    ],
    reproduction: [
      '1. Run `dig +short TXT DOMAIN` and `dig +short TXT _dmarc.DOMAIN`.',
      '2. The records are missing or contain the values from the evidence, such as `p=none`.',
    ],
    recommendation: [
      '- List all authorized servers and services in the SPF record, and end it with `-all` or `~all`. Do not use `+all` or the mechanism `ptr`.',
      '- Sign all outgoing e-mails with DKIM and keys of at least 2048 bits.',
      '- Publish a DMARC record with `p=none` and a report address, evaluate the reports for some weeks, and then change the policy to `quarantine` and later `reject`.',
      '- Protect domains without e-mail with `v=spf1 -all` and `v=DMARC1; p=reject`.',
    ],
  },
  de: {
    title: 'Unzureichender Schutz der Domain vor gefälschten E-Mails',
    summary:
      'Die Domain erzwingt nicht, dass nur berechtigte Server in ihrem Namen E-Mails versenden. Angreifer können Absender fälschen.',
    description: [
      'Mit SPF, DKIM und DMARC legt der Inhaber einer Domain fest, welche Server in ihrem Namen E-Mails versenden dürfen und wie Empfänger mit allen übrigen E-Mails verfahren sollen. Bei der betroffenen Domain fehlen Einträge, oder sie weisen Empfänger nicht an, gefälschte E-Mails abzulehnen. Der Nachweis zeigt die Einträge.',
    ],
    impact: [
      'Angreifer können E-Mails mit Adressen der Organisation als Absender versenden. Empfänger, darunter Beschäftigte, Kunden und Partner, können die Fälschung an der Adresse nicht erkennen. Das wird für Betrug mit Zahlungsanweisungen, für Phishing und zur Verbreitung von Schadsoftware genutzt.',
    ],
    reproduction: [
      '1. Führen Sie `dig +short TXT DOMAIN` und `dig +short TXT _dmarc.DOMAIN` aus.',
      '2. Die Einträge fehlen oder enthalten die Werte aus dem Nachweis, etwa `p=none`.',
    ],
    recommendation: [
      '- Führen Sie alle berechtigten Server und Dienste im SPF-Eintrag auf und beenden Sie ihn mit `-all` oder `~all`. Verwenden Sie weder `+all` noch den Mechanismus `ptr`.',
      '- Signieren Sie alle ausgehenden E-Mails mit DKIM und Schlüsseln von mindestens 2048 Bit.',
      '- Veröffentlichen Sie einen DMARC-Eintrag mit `p=none` und einer Berichtsadresse, werten Sie die Berichte einige Wochen lang aus und verschärfen Sie die Richtlinie dann auf `p=quarantine` und schließlich `p=reject`.',
      '- Schützen Sie Domains ohne E-Mail mit `v=spf1 -all` und `v=DMARC1; p=reject`.',
    ],
  },
})
