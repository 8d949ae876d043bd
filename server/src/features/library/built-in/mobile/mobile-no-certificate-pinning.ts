import { entry } from '../entry.ts'

export const mobileNoCertificatePinning = entry({
  key: 'mobile-no-certificate-pinning',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:A/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  cwe: ['CWE-295'],
  owasp: ['M5:2024'],
  wstg: [],
  attack: ['T1638'],
  tags: ['mobile', 'android', 'ios', 'tls'],
  rules: {},
  references: [
    'https://mas.owasp.org/MASVS/08-MASVS-NETWORK/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Pinning_Cheat_Sheet.html',
    'https://developer.android.com/privacy-and-security/security-config',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  guidance: [
    '- Install the certificate of your proxy on the device. On Android 7 and later, apps do not trust user-installed certificates by default: place it in the system store of a test device.',
    '- Report this only for apps with particularly sensitive data (banking, health, administration). For others, the platforms advise against pinning, since mistakes lock users out.',
    '- Bypassing pinning on a rooted or jailbroken device is always possible and not a finding.',
    '- If the app trusts user-installed certificates (`src="user"`), report that here: it matters more.',
  ],
  en: {
    title: 'App does not pin certificates',
    summary:
      'The app trusts every certificate that the device trusts. With an additional certificate on the device, the traffic can be read.',
    description: [
      'The app relies solely on the list of trusted certification authorities of the device. It does not check whether the certificate belongs to the expected server (certificate pinning). An additional authority, for example one installed by the user, malware or an organization, is therefore sufficient to intercept connections.',
    ],
    impact: [
      'Attackers who can have a certificate installed on the device, or who control a trusted authority, and who are on the network can read and change the traffic of the app. The effort is considerable. Pinning also makes the API harder to analyse.',
    ],
    reproduction: [
      '1. Install the certificate of a proxy in the trust store of a test device, and redirect the traffic.',
      '2. Use the app. The proxy shows the decrypted requests.',
    ],
    recommendation: [
      '- Decide whether the sensitivity of the data justifies pinning. It requires reliable processes for replacing certificates.',
      '- Pin the public keys of your servers or their issuing authority, with at least one backup key, in the Network Security Configuration (Android) or with `NSPinnedDomains` (iOS).',
      '- Plan the replacement of keys together with updates of the app, so that no users are locked out.',
      '- In any case, do not trust certificates that users have installed (`src="user"`) in published apps.',
    ],
  },
  de: {
    title: 'App verwendet kein Certificate Pinning',
    summary:
      'Die App vertraut jedem Zertifikat, dem das Gerät vertraut. Mit einem zusätzlichen Zertifikat auf dem Gerät lässt sich der Datenverkehr mitlesen.',
    description: [
      'Die App verlässt sich ausschließlich auf die Liste vertrauenswürdiger Zertifizierungsstellen des Geräts. Sie prüft nicht, ob das Zertifikat zum erwarteten Server gehört (Certificate Pinning). Eine zusätzliche, etwa vom Benutzer, von Schadsoftware oder einer Organisation installierte Stelle genügt daher, um Verbindungen abzufangen.',
    ],
    impact: [
      'Angreifer, die ein Zertifikat auf dem Gerät installieren lassen können oder eine vertrauenswürdige Stelle kontrollieren und sich im Netzwerk befinden, können den Datenverkehr der App lesen und verändern. Der Aufwand ist erheblich. Pinning erschwert zudem die Analyse der Schnittstelle.',
    ],
    reproduction: [
      '1. Installieren Sie das Zertifikat eines Proxys im Zertifikatspeicher eines Testgeräts und leiten Sie den Datenverkehr um.',
      '2. Verwenden Sie die App. Der Proxy zeigt die entschlüsselten Anfragen.',
    ],
    recommendation: [
      '- Entscheiden Sie nach Schutzbedarf, ob Pinning angemessen ist. Es erfordert verlässliche Abläufe für den Austausch von Zertifikaten.',
      '- Binden Sie die App an die öffentlichen Schlüssel Ihrer Server oder der ausstellenden Stelle, mit mindestens einem Ersatzschlüssel, in der Network Security Configuration (Android) oder mit `NSPinnedDomains` (iOS).',
      '- Planen Sie den Austausch von Schlüsseln gemeinsam mit Updates der App, damit keine Benutzer ausgesperrt werden.',
      '- Vertrauen Sie in veröffentlichten Apps in keinem Fall Zertifikaten, die Benutzer installiert haben (`src="user"`).',
    ],
  },
})
