import { entry } from '../../entry.ts'

export const missingSecondFactor = entry({
  key: 'missing-second-factor',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-308'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1078', 'T1110'],
  tags: ['web', 'cloud', 'authentication', 'mfa'],
  rules: { nuclei: ['iam-mfa-enable', 'iam-root-mfa'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Multifactor_Authentication_Cheat_Sheet.html',
    'https://pages.nist.gov/800-63-4/sp800-63b.html',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa.html',
    'https://cwe.mitre.org/data/definitions/308.html',
  ],
  guidance: [
    '- Check what is enforced, not what is offered: sign in with an account that has not set up a second factor.',
    '- Look for other ways in that need only the password: legacy protocols (IMAP, basic authentication), APIs, VPN, application passwords, trusted networks in conditional access rules.',
    '- For cloud accounts, check the root or global administrator accounts first. Service accounts without interactive sign-in are not affected.',
    '- Raise the severity to high for administrative access from the internet.',
  ],
  en: {
    title: 'Sign-in without a second factor',
    summary: 'Access from outside requires only a password. A stolen password is enough for access.',
    description: [
      'The affected accounts or systems can be used with only a user name and password. A second factor is not available, or it is not required for these accounts.',
    ],
    impact: [
      'Attackers obtain passwords through phishing, leaks of other services, malware and guessing. Without a second factor, a single known password is sufficient for access. For administrators, this means control of the application or environment.',
    ],
    reproduction: [
      '1. Sign in to the affected system from outside with the user name and password of a test account.',
      '2. Access is granted without a further factor.',
    ],
    recommendation: [
      '- Require a second factor for all access from the internet, and for administrators everywhere.',
      '- Prefer methods that resist phishing: passkeys, security keys (FIDO2) or certificates. One-time passwords from an app are the next best choice. Avoid text messages.',
      '- Switch off ways around the second factor, such as legacy protocols and application passwords.',
      '- Keep a few emergency accounts with security keys in a safe, and raise an alarm when they are used.',
      '- Secure the process for lost factors as well as the sign-in itself.',
    ],
  },
  de: {
    title: 'Anmeldung ohne zweiten Faktor',
    summary:
      'Für den Zugriff von außen genügt ein Passwort. Angreifer, die ein Passwort erlangen, haben sofort Zugang.',
    description: [
      'Die betroffenen Konten oder Systeme lassen sich allein mit Benutzername und Passwort nutzen. Ein zweiter Faktor ist nicht verfügbar oder wird für diese Konten nicht verlangt.',
    ],
    impact: [
      'Passwörter werden durch Phishing, Datenlecks anderer Dienste, Schadsoftware und Erraten bekannt. Ohne zweiten Faktor genügt ein einziges bekanntes Passwort für den Zugang. Bei Administratoren bedeutet das die Kontrolle über die Anwendung oder Umgebung.',
    ],
    reproduction: [
      '1. Melden Sie sich von außen mit Benutzername und Passwort eines Testkontos am betroffenen System an.',
      '2. Der Zugang wird ohne weiteren Faktor gewährt.',
    ],
    recommendation: [
      '- Verlangen Sie für jeden Zugriff aus dem Internet einen zweiten Faktor, für Administratoren überall.',
      '- Ziehen Sie phishingresistente Verfahren vor: Passkeys, Sicherheitsschlüssel (FIDO2) oder Zertifikate. Einmalpasswörter aus einer App sind die nächstbeste Wahl. Vermeiden Sie SMS.',
      '- Schalten Sie Wege ab, die den zweiten Faktor umgehen, etwa veraltete Protokolle und Anwendungspasswörter.',
      '- Halten Sie wenige Notfallkonten mit Sicherheitsschlüsseln im Tresor vor und lassen Sie ihre Verwendung einen Alarm auslösen.',
      '- Sichern Sie den Ablauf für verlorene Faktoren ebenso gut ab wie die Anmeldung selbst.',
    ],
  },
})
