import { entry } from '../entry.ts'

export const mobileCertificateValidation = entry({
  key: 'mobile-certificate-validation',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-295'],
  owasp: ['M5:2024'],
  wstg: [],
  attack: ['T1638'],
  tags: ['mobile', 'android', 'ios', 'tls'],
  rules: { nuclei: ['improper-certificate-validation'] },
  references: [
    'https://mas.owasp.org/MASVS/08-MASVS-NETWORK/',
    'https://developer.android.com/privacy-and-security/security-ssl',
    'https://developer.apple.com/documentation/security/preventing-insecure-network-connections',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  guidance: [
    '- Prove it with a certificate that the device does not trust: self-signed, wrong name, expired. Test each separately.',
    '- Interception with a certificate that you installed on the device proves only missing pinning, not this finding.',
    '- Code such as an empty `checkServerTrusted` or `handler.proceed()` may be in a library that is never called. Confirm at run time.',
    '- Test all connections, including those of web views and advertising and analytics libraries.',
  ],
  en: {
    title: 'App does not verify server certificates',
    summary:
      'The app accepts any certificate for encrypted connections. Attackers on the network can read and change the traffic.',
    description: [
      'When an app opens an encrypted connection, it must check that the certificate of the server is valid, issued by a trusted authority and for the right name. The app omits at least one of these checks. The evidence shows which certificates it accepts.',
    ],
    impact: [
      'Attackers on the same network, for example on a public Wi-Fi network, can impersonate the server. They can read passwords, access tokens and personal data, and change responses, although the connection appears to be encrypted.',
    ],
    reproduction: [
      '1. Redirect the traffic of a test device to a proxy that uses a self-signed certificate. Do not install its certificate on the device.',
      '2. Use the app. The proxy shows the decrypted requests.',
    ],
    recommendation: [
      '- Remove code that overrides the check: custom `TrustManager` and `HostnameVerifier` classes, `onReceivedSslError` with `proceed()`, or delegates that accept any certificate.',
      '- Use the certificate check of the operating system. On Android, configure exceptions for tests only in `debug-overrides` of the Network Security Configuration.',
      '- On iOS, do not set exceptions in App Transport Security.',
      '- Test automatically that the app refuses connections with invalid certificates.',
    ],
  },
  de: {
    title: 'App prüft Zertifikate von Servern nicht',
    summary:
      'Die App akzeptiert für verschlüsselte Verbindungen beliebige Zertifikate. Angreifer im Netzwerk können den Datenverkehr lesen und verändern.',
    description: [
      'Öffnet eine App eine verschlüsselte Verbindung, muss sie prüfen, ob das Zertifikat des Servers gültig ist, von einer vertrauenswürdigen Stelle stammt und auf den richtigen Namen lautet. Die App lässt mindestens eine dieser Prüfungen aus. Der Nachweis zeigt, welche Zertifikate sie akzeptiert.',
    ],
    impact: [
      'Angreifer im selben Netzwerk, etwa in einem öffentlichen WLAN, können sich für den Server ausgeben. Sie können Passwörter, Zugriffstoken und personenbezogene Daten lesen und Antworten verändern, obwohl die Verbindung verschlüsselt erscheint.',
    ],
    reproduction: [
      '1. Leiten Sie den Datenverkehr eines Testgeräts auf einen Proxy mit selbstsigniertem Zertifikat um. Installieren Sie dessen Zertifikat nicht auf dem Gerät.',
      '2. Verwenden Sie die App. Der Proxy zeigt die entschlüsselten Anfragen.',
    ],
    recommendation: [
      '- Entfernen Sie Code, der die Prüfung überschreibt: eigene `TrustManager` und `HostnameVerifier`, `onReceivedSslError` mit `proceed()` oder Delegates, die jedes Zertifikat akzeptieren.',
      '- Verwenden Sie die Prüfung des Betriebssystems. Konfigurieren Sie unter Android Ausnahmen für Tests nur in `debug-overrides` der Network Security Configuration.',
      '- Setzen Sie unter iOS keine Ausnahmen in App Transport Security.',
      '- Testen Sie automatisiert, dass die App Verbindungen mit ungültigen Zertifikaten ablehnt.',
    ],
  },
})
