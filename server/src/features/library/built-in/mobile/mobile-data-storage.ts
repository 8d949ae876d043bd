import { entry } from '../entry.ts'

export const mobileDataStorage = entry({
  key: 'mobile-data-storage',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-312', 'CWE-922'],
  owasp: ['M9:2024'],
  wstg: [],
  attack: ['T1409'],
  tags: ['mobile', 'android', 'ios', 'storage'],
  rules: {},
  references: [
    'https://mas.owasp.org/MASVS/05-MASVS-STORAGE/',
    'https://developer.android.com/privacy-and-security/keystore',
    'https://developer.apple.com/documentation/security/keychain-services',
    'https://cwe.mitre.org/data/definitions/312.html',
  ],
  guidance: [
    '- Use the app fully, then compare its folder before and after: databases, preferences, caches, web storage, logs, screenshots for the app switcher, shared storage.',
    '- Data in the private folder of the app is protected by the sandbox. State what an attacker needs: an unlocked, rooted device, a backup, or only another app (shared storage, which is worse).',
    '- Search for what matters: tokens, passwords, health and payment data, keys. A language setting is not a finding.',
    '- Check whether data remains after sign-out.',
  ],
  en: {
    title: 'App stores confidential data without protection',
    summary:
      'The app stores confidential data in clear text on the device. People with access to the device or a backup can read it.',
    description: [
      'The app stores confidential data, such as access tokens, passwords or personal data, in files, databases or settings without using the protected storage of the operating system. The evidence shows the locations and the data.',
    ],
    impact: [
      'With access to a lost or stolen device, to a backup, or through malware with root access, attackers can read the data and use access tokens to act as the user.',
    ],
    reproduction: [
      '1. Use the app on a rooted or jailbroken test device, or create a backup.',
      '2. Open the file from the evidence. It contains the data in clear text.',
    ],
    recommendation: [
      '- Store only what is necessary on the device, and delete it when the user signs out.',
      '- Store tokens and keys in the protected storage of the system: Android Keystore, iOS Keychain with `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.',
      '- Encrypt databases and files with confidential content with a key from this storage.',
      '- Exclude confidential files from backups, and do not write confidential data to logs or shared storage.',
      '- Hide confidential content in the app switcher.',
    ],
  },
  de: {
    title: 'App speichert vertrauliche Daten ungeschützt',
    summary:
      'Die App speichert vertrauliche Daten im Klartext auf dem Gerät. Wer Zugriff auf das Gerät oder eine Sicherung hat, kann sie lesen.',
    description: [
      'Die App speichert vertrauliche Daten wie Zugriffstoken, Passwörter oder personenbezogene Daten in Dateien, Datenbanken oder Einstellungen, ohne den geschützten Speicher des Betriebssystems zu nutzen. Der Nachweis zeigt Fundstellen und Daten.',
    ],
    impact: [
      'Mit Zugriff auf ein verlorenes oder gestohlenes Gerät, auf eine Sicherung oder mit Schadsoftware, die Root-Rechte hat, können Angreifer die Daten lesen und mit Zugriffstoken im Namen des Benutzers handeln.',
    ],
    reproduction: [
      '1. Verwenden Sie die App auf einem Testgerät mit Root-Zugriff oder Jailbreak oder erstellen Sie eine Sicherung.',
      '2. Öffnen Sie die Datei aus dem Nachweis. Sie enthält die Daten im Klartext.',
    ],
    recommendation: [
      '- Speichern Sie nur das Notwendige auf dem Gerät und löschen Sie es, wenn sich der Benutzer abmeldet.',
      '- Legen Sie Token und Schlüssel im geschützten Speicher des Systems ab: Android Keystore, iOS Keychain mit `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.',
      '- Verschlüsseln Sie Datenbanken und Dateien mit vertraulichem Inhalt mit einem Schlüssel aus diesem Speicher.',
      '- Schließen Sie vertrauliche Dateien von Sicherungen aus und schreiben Sie vertrauliche Daten nicht in Protokolle oder gemeinsamen Speicher.',
      '- Blenden Sie vertrauliche Inhalte in der Vorschau der App-Übersicht aus.',
    ],
  },
})
