import { entry } from '../../entry.ts'

export const userEnumeration = entry({
  key: 'user-enumeration',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cwe: ['CWE-204'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: ['WSTG-IDNT-04'],
  attack: ['T1589'],
  tags: ['web', 'authentication'],
  rules: { zap: ['40023'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/204.html',
  ],
  guidance: [
    '- Compare sign-in, registration, password reset and invitation: texts, status codes, headers, redirects and times.',
    '- For times, send at least 30 requests for each case in alternating order and compare medians. Note the difference.',
    '- If user names are public by design (forums, a directory of e-mail addresses), this is informational.',
    '- Lower the severity to low if there is an effective limit on requests.',
  ],
  en: {
    title: 'User accounts can be enumerated',
    summary:
      'The application answers differently for existing and unknown accounts. Attackers can find out who has an account.',
    description: [
      'When a user name or an e-mail address is entered, the response shows whether an account exists: by its text, its status code or its timing. The evidence shows the responses side by side.',
    ],
    impact: [
      'Attackers can compile lists of valid accounts for guessing passwords and for phishing. For some applications, the fact that a person has an account is confidential in itself.',
    ],
    reproduction: [
      '1. Send the affected request with an existing account name.',
      '2. Send it with a name that does not exist.',
      '3. The responses differ in the way that the evidence shows.',
    ],
    recommendation: [
      '- Answer in the same way in both cases, for example "If an account exists, you will receive an e-mail" for the password reset, and "User name or password is wrong" for the sign-in.',
      '- For registration, ask for the e-mail address first and send the next step, or the notice of an existing account, by e-mail.',
      '- Make the timing equal: calculate a password hash for unknown accounts too, and send e-mails in the background.',
      '- Limit the number of requests per source.',
    ],
  },
  de: {
    title: 'Vorhandene Benutzerkonten lassen sich ermitteln',
    summary:
      'Die Anwendung antwortet bei vorhandenen und unbekannten Konten unterschiedlich. Angreifer können herausfinden, wer ein Konto besitzt.',
    description: [
      'Nach Eingabe eines Benutzernamens oder einer E-Mail-Adresse lässt sich an der Antwort erkennen, ob ein Konto existiert: am Text, am Statuscode oder an der Antwortzeit. Der Nachweis stellt die Antworten gegenüber.',
    ],
    impact: [
      'Angreifer können Listen gültiger Konten für das Erraten von Passwörtern und für Phishing zusammenstellen. Bei manchen Anwendungen ist bereits vertraulich, dass eine Person ein Konto hat.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit einem vorhandenen Kontonamen.',
      '2. Senden Sie sie mit einem Namen, den es nicht gibt.',
      '3. Die Antworten unterscheiden sich wie im Nachweis gezeigt.',
    ],
    recommendation: [
      '- Antworten Sie in beiden Fällen gleich, beim Zurücksetzen des Passworts zum Beispiel mit „Falls ein Konto existiert, erhalten Sie eine E-Mail“ und bei der Anmeldung mit „Benutzername oder Passwort ist falsch“.',
      '- Fragen Sie bei der Registrierung zuerst die E-Mail-Adresse ab und senden Sie den nächsten Schritt oder den Hinweis auf ein bestehendes Konto per E-Mail.',
      '- Gleichen Sie den Aufwand an: Berechnen Sie auch für unbekannte Konten einen Passwort-Hash und versenden Sie E-Mails im Hintergrund.',
      '- Begrenzen Sie die Zahl der Anfragen je Quelle.',
    ],
  },
})
