import { entry } from '../../entry.ts'

export const noBruteForceProtection = entry({
  key: 'no-brute-force-protection',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  cwe: ['CWE-307'],
  owasp: ['A07:2021', 'A07:2025', 'API2:2023'],
  wstg: ['WSTG-ATHN-03'],
  attack: ['T1110.001', 'T1110.003', 'T1110.004'],
  tags: ['web', 'api', 'authentication'],
  rules: {},
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Credential_Stuffing_Prevention_Cheat_Sheet.html',
    'https://pages.nist.gov/800-63-4/sp800-63b.html',
    'https://cwe.mitre.org/data/definitions/307.html',
  ],
  guidance: [
    '- Agree on the test account first: some systems lock accounts permanently.',
    '- Send 50 to 100 wrong attempts, then the correct password. If it still works from the same address, there is no effective limit. Also try one attempt each for many accounts.',
    '- Check other ways to sign in with the same password: API, mobile interface, old versions, `X-Forwarded-For` as a way around limits by address.',
    '- Silent measures (the right password is refused for a while, or a second factor is asked for) are easily overlooked.',
  ],
  en: {
    title: 'No protection against password guessing',
    summary: 'The sign-in accepts any number of attempts. Attackers can try passwords automatically.',
    description: [
      'The application does not limit how often a sign-in may fail. The evidence shows a series of attempts without a delay, a lockout or another reaction, followed by a successful sign-in with the same account.',
    ],
    impact: [
      'Attackers can try common passwords for many accounts, or passwords from published leaks. With weak or reused passwords, they take over accounts.',
    ],
    reproduction: [
      '1. Send the sign-in request repeatedly with wrong passwords, as the evidence shows.',
      '2. The server answers all attempts without delay.',
      '3. Send the correct password: the sign-in succeeds.',
    ],
    recommendation: [
      '- Limit failed attempts per account and per source, with growing delays, for example starting with the fifth attempt. Prefer delays to permanent lockouts, which attackers can use to lock users out.',
      '- Apply the same limits to all ways in: web, API, mobile interface and password reset.',
      '- Offer a second factor, and require it for administrators.',
      '- Reject passwords that appear in lists of leaked passwords.',
      '- Log failed attempts, and raise an alarm if there are unusually many.',
    ],
  },
  de: {
    title: 'Kein Schutz gegen das Erraten von Passwörtern',
    summary: 'Die Anmeldung erlaubt beliebig viele Versuche. Angreifer können Passwörter automatisiert ausprobieren.',
    description: [
      'Die Anwendung begrenzt nicht, wie oft eine Anmeldung fehlschlagen darf. Der Nachweis zeigt eine Reihe von Versuchen ohne Verzögerung, Sperre oder andere Reaktion, gefolgt von einer erfolgreichen Anmeldung mit demselben Konto.',
    ],
    impact: [
      'Angreifer können gängige Passwörter bei vielen Konten oder Passwörter aus veröffentlichten Datenlecks ausprobieren. Bei schwachen oder mehrfach verwendeten Passwörtern übernehmen sie Konten.',
    ],
    reproduction: [
      '1. Senden Sie die Anmeldeanfrage wie im Nachweis wiederholt mit falschen Passwörtern.',
      '2. Der Server beantwortet alle Versuche ohne Verzögerung.',
      '3. Senden Sie das richtige Passwort: Die Anmeldung gelingt.',
    ],
    recommendation: [
      '- Begrenzen Sie Fehlversuche je Konto und je Quelle mit wachsenden Verzögerungen, zum Beispiel ab dem fünften Versuch. Ziehen Sie Verzögerungen dauerhaften Sperren vor, mit denen Angreifer Benutzer aussperren können.',
      '- Wenden Sie dieselben Grenzen auf alle Zugänge an: Web, API, mobile Schnittstelle und Zurücksetzen des Passworts.',
      '- Bieten Sie einen zweiten Faktor an und verlangen Sie ihn für Administratoren.',
      '- Weisen Sie Passwörter ab, die in Listen geleakter Passwörter vorkommen.',
      '- Protokollieren Sie Fehlversuche und alarmieren Sie bei auffälligen Häufungen.',
    ],
  },
})
