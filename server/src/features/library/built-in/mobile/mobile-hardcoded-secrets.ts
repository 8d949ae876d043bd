import { entry } from '../entry.ts'

export const mobileHardcodedSecrets = entry({
  key: 'mobile-hardcoded-secrets',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-798'],
  owasp: ['M1:2024'],
  wstg: [],
  attack: ['T1552.001'],
  tags: ['mobile', 'android', 'ios', 'secrets'],
  rules: {},
  references: [
    'https://mas.owasp.org/MASVS/06-MASVS-CRYPTO/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/798.html',
  ],
  guidance: [
    '- Many keys in apps are public by design: Firebase API keys, Google Maps keys, OAuth client identifiers, public keys. They are a finding only if they are not restricted and permit more than intended.',
    "- With the client's consent, show what the key permits with a harmless read-only call.",
    '- Private keys, cloud keys, passwords of databases or mail servers, and keys for signing requests count.',
    '- Look in strings, resources, native libraries, JavaScript bundles and configuration files.',
  ],
  en: {
    title: 'App contains hard-coded passwords or keys',
    summary:
      'The app contains secrets that are the same for all users. Attackers can extract them from the app and use them.',
    description: [
      'The published app contains credentials, such as passwords, keys of cloud services or API keys. Anyone can download the app and view its contents. Obfuscation makes it only slightly more difficult. The evidence shows where the keys are and what they permit, with the values masked.',
    ],
    impact: [
      'Attackers can use the affected services with the rights of the app, without using it. Depending on the service, they can read or change data of all users or cause costs.',
    ],
    reproduction: [
      '1. Unpack the app, for example with `apktool d app.apk` or `unzip app.ipa`.',
      '2. Search for the place from the evidence. It contains the secret.',
      '3. A call with the secret succeeds.',
    ],
    recommendation: [
      '- Replace the affected secrets, and revoke the old ones as soon as users have updated the app. If misuse is likely, revoke them immediately.',
      '- Move access to services that need secrets to your own server, which checks the signed-in user.',
      '- Restrict keys that must be in the app by app identifier, function and quota.',
      '- Scan for secrets automatically in the build.',
    ],
  },
  de: {
    title: 'Passwörter oder Schlüssel sind in der App enthalten',
    summary:
      'Die App enthält Geheimnisse, die für alle Benutzer gleich sind. Angreifer können sie aus der App auslesen und verwenden.',
    description: [
      'Die veröffentlichte App enthält Zugangsdaten wie Passwörter, Schlüssel von Cloud-Diensten oder Schlüssel für Schnittstellen. Alle können die App herunterladen und ihren Inhalt einsehen. Verschleierung erschwert das nur geringfügig. Der Nachweis zeigt Fundstellen und Rechte der Schlüssel mit maskierten Werten.',
    ],
    impact: [
      'Angreifer können die betroffenen Dienste unabhängig von der App mit deren Rechten nutzen. Je nach Dienst können sie Daten aller Benutzer lesen oder ändern oder Kosten verursachen.',
    ],
    reproduction: [
      '1. Entpacken Sie die App, zum Beispiel mit `apktool d app.apk` oder `unzip app.ipa`.',
      '2. Suchen Sie die Fundstelle aus dem Nachweis. Sie enthält das Geheimnis.',
      '3. Ein Aufruf mit dem Geheimnis gelingt.',
    ],
    recommendation: [
      '- Ersetzen Sie die betroffenen Geheimnisse und sperren Sie die alten, sobald die Benutzer die App aktualisiert haben. Ist Missbrauch wahrscheinlich, sperren Sie sie sofort.',
      '- Verlagern Sie den Zugriff auf Dienste, die Geheimnisse benötigen, auf den eigenen Server, der den angemeldeten Benutzer prüft.',
      '- Beschränken Sie Schlüssel, die in der App enthalten sein müssen, auf die Kennung der App, die nötigen Funktionen und feste Kontingente.',
      '- Suchen Sie im Build automatisch nach Geheimnissen.',
    ],
  },
})
