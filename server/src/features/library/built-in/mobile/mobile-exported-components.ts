import { entry } from '../entry.ts'

export const mobileExportedComponents = entry({
  key: 'mobile-exported-components',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:L/A:N',
  cwe: ['CWE-926'],
  owasp: ['M8:2024'],
  wstg: [],
  attack: [],
  tags: ['mobile', 'android'],
  rules: { nuclei: ['exported-activities'] },
  references: [
    'https://mas.owasp.org/MASVS/09-MASVS-PLATFORM/',
    'https://developer.android.com/privacy-and-security/risks/android-exported',
    'https://developer.android.com/guide/components/intents-filters',
    'https://cwe.mitre.org/data/definitions/926.html',
  ],
  guidance: [
    '- Start each component from another app or with `adb shell am start -n PACKAGE/.ACTIVITY`, and show an effect: bypassed PIN, displayed data, triggered action.',
    '- An exported launcher activity, and components of known libraries (Firebase, Google Sign-in), are normal.',
    '- Content providers: query them with `adb shell content query --uri`. Check for SQL injection and path traversal.',
    '- Components behind a permission with the protection level `signature` are protected.',
  ],
  en: {
    title: 'App exposes internal components to other apps',
    summary: 'Other apps on the device can call components of the app that are intended for internal use only.',
    description: [
      'On Android, an app declares which of its components (activities, services, receivers, content providers) other apps may call. The app exports components that do not check who calls them. The evidence shows the components and what can be achieved with them.',
    ],
    impact: [
      'A malicious app on the same device can open protected views, read data or trigger actions without holding permissions for this. The user must have installed such an app.',
    ],
    reproduction: [
      '1. Run `adb shell am start -n PACKAGE/COMPONENT` on a test device, with the names from the evidence.',
      '2. The component opens, or returns data, without the app checking the caller.',
    ],
    recommendation: [
      '- Set `android:exported="false"` for all components that other apps do not need.',
      '- Protect required components with a permission that has the protection level `signature`, or check the caller.',
      '- Treat all data in received intents as untrusted, particularly file names, addresses and nested intents.',
      '- Require the sign-in or PIN in each protected activity, not only in the launcher activity.',
    ],
  },
  de: {
    title: 'Interne Komponenten der App sind für andere Apps zugänglich',
    summary:
      'Andere Apps auf dem Gerät können Komponenten der App aufrufen, die nur für den internen Gebrauch bestimmt sind.',
    description: [
      'Unter Android legt eine App fest, welche ihrer Komponenten (Activities, Services, Receiver, Content Provider) andere Apps aufrufen dürfen. Die App exportiert Komponenten, die nicht prüfen, wer sie aufruft. Der Nachweis zeigt die Komponenten und was sich mit ihnen erreichen lässt.',
    ],
    impact: [
      'Eine bösartige App auf demselben Gerät kann geschützte Ansichten öffnen, Daten lesen oder Aktionen auslösen, ohne selbst die Berechtigung dafür zu besitzen. Der Benutzer muss eine solche App installiert haben.',
    ],
    reproduction: [
      '1. Führen Sie auf einem Testgerät `adb shell am start -n PACKAGE/COMPONENT` mit den Namen aus dem Nachweis aus.',
      '2. Die Komponente öffnet sich oder liefert Daten, ohne dass die App den Aufrufer prüft.',
    ],
    recommendation: [
      '- Setzen Sie `android:exported="false"` für alle Komponenten, die nicht von anderen Apps aufgerufen werden müssen.',
      '- Schützen Sie benötigte Komponenten mit einer Berechtigung der Schutzstufe `signature` oder prüfen Sie den Aufrufer.',
      '- Behandeln Sie alle Daten in empfangenen Intents als nicht vertrauenswürdig, besonders Dateinamen, Adressen und verschachtelte Intents.',
      '- Verlangen Sie Anmeldung oder PIN in jeder geschützten Activity, nicht nur in der Start-Activity.',
    ],
  },
})
