import { entry } from '../entry.ts'

export const mobileDebuggable = entry({
  key: 'mobile-debuggable',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cwe: ['CWE-489'],
  owasp: ['M8:2024', 'M7:2024'],
  wstg: [],
  attack: [],
  tags: ['mobile', 'android', 'ios'],
  rules: { nuclei: ['android-debug-enabled'] },
  references: [
    'https://mas.owasp.org/MASVS/11-MASVS-RESILIENCE/',
    'https://developer.android.com/privacy-and-security/risks/android-debuggable',
    'https://cwe.mitre.org/data/definitions/489.html',
  ],
  guidance: [
    '- Check the published package, not a test build: `aapt dump badging app.apk` shows `application-debuggable`, and on iOS `get-task-allow` is in the entitlements.',
    '- Prove it with `adb shell run-as PACKAGE` on a device without root.',
    '- If only `android:allowBackup="true"` is set, the finding is low: since Android 12, `adb backup` leaves out the data of apps that target it and are not debuggable.',
  ],
  en: {
    title: 'Published app can be debugged',
    summary:
      'The app was published with debugging enabled. People with access to the device can read its data and change its behaviour.',
    description: [
      'Android and iOS allow a debugger to be attached to apps that are marked as debuggable. This flag is intended for development only, but it is set in the published app.',
    ],
    impact: [
      'With access to an unlocked device, attackers can read and change the stored data of the app, run code in the app and bypass its protections, without root access to the device. The app also becomes easier to analyse and manipulate.',
    ],
    reproduction: [
      '1. Install the published app on a device that is not rooted or jailbroken.',
      '2. Run `adb shell run-as PACKAGE ls`. The private files of the app are displayed.',
    ],
    recommendation: [
      '- Publish only release builds. Android: do not set `android:debuggable` in the manifest and sign with the release key. iOS: use a distribution profile, so that `get-task-allow` is `false`.',
      '- Check the finished package automatically for the flag before publication.',
      '- Remove test menus, log output and addresses of test systems from release builds.',
    ],
  },
  de: {
    title: 'Veröffentlichte App lässt sich debuggen',
    summary:
      'Die App wurde mit aktivierter Debug-Funktion veröffentlicht. Wer Zugriff auf das Gerät hat, kann ihre Daten lesen und ihr Verhalten ändern.',
    description: [
      'Android und iOS erlauben das Anhängen eines Debuggers an Apps, die dafür gekennzeichnet sind. Diese Kennzeichnung ist nur für die Entwicklung vorgesehen. In der veröffentlichten App ist sie gesetzt.',
    ],
    impact: [
      'Mit Zugriff auf ein entsperrtes Gerät können Angreifer die gespeicherten Daten der App lesen und ändern, Code in der App ausführen und ihre Schutzfunktionen umgehen, ohne Root-Rechte auf dem Gerät zu besitzen. Das erleichtert auch die Analyse und Manipulation der App.',
    ],
    reproduction: [
      '1. Installieren Sie die veröffentlichte App auf einem Gerät ohne Root-Zugriff.',
      '2. Führen Sie `adb shell run-as PACKAGE ls` aus. Die privaten Dateien der App werden angezeigt.',
    ],
    recommendation: [
      '- Veröffentlichen Sie nur Release-Builds. Android: Setzen Sie `android:debuggable` nicht im Manifest und signieren Sie mit dem Release-Schlüssel. iOS: Verwenden Sie ein Distributionsprofil, damit `get-task-allow` auf `false` gesetzt ist.',
      '- Prüfen Sie das fertige Paket vor der Veröffentlichung automatisch auf die Kennzeichnung.',
      '- Entfernen Sie Testmenüs, Protokollausgaben und Adressen von Testsystemen aus Release-Builds.',
    ],
  },
})
