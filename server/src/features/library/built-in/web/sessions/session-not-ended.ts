import { entry } from '../../entry.ts'

export const sessionNotEnded = entry({
  key: 'session-not-ended',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:L/A:N',
  cwe: ['CWE-613'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: ['WSTG-SESS-06', 'WSTG-SESS-07'],
  attack: ['T1550.004'],
  tags: ['web', 'sessions'],
  rules: {},
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://pages.nist.gov/800-63-4/sp800-63b.html',
    'https://cwe.mitre.org/data/definitions/613.html',
  ],
  guidance: [
    '- Record a request with a valid session, sign out, and send exactly this request again. Compare it with the same request without a session.',
    '- Some applications answer with 200 and the sign-in page: look at the content, not only at the status.',
    '- Test sign-out, idle time, absolute lifetime, password change, and deactivation of the account separately, and state in the finding which of them fail.',
    '- Self-contained tokens (JWT) with a lifetime of a few minutes are usually acceptable. State the lifetime.',
  ],
  en: {
    title: 'Sessions remain valid after sign-out or for too long',
    summary:
      'The server does not end sessions when it should. A session that an attacker obtains can be used for a long time.',
    description: [
      'When the user signs out, the application removes the session from the browser, but the server continues to accept it, or the session has no suitable limit for idle time and lifetime. The evidence shows which events do not end a session.',
    ],
    impact: [
      'An attacker who obtains a session identifier, for example from a shared computer, a log or malware, can continue to use it even after the user has signed out or changed the password. The user cannot stop this.',
    ],
    reproduction: [
      '1. Sign in and record a request to a page that requires a session.',
      '2. Sign out, or carry out the event that the evidence names.',
      '3. Send the recorded request again. The server still answers with the data of the user.',
    ],
    recommendation: [
      '- Delete the session on the server when the user signs out. Removing the cookie is not sufficient.',
      '- End all sessions of a user when the password is changed or reset, a second factor is changed, or the account is locked.',
      '- Limit idle time and lifetime according to the sensitivity of the data, for example to 30 minutes and 12 hours for confidential data.',
      '- Give tokens that the server does not store (such as JWT) a short lifetime (minutes), and renew them with a token that the server can revoke.',
      '- Show users their active sessions, and let users end them.',
    ],
  },
  de: {
    title: 'Sitzungen bleiben nach der Abmeldung gültig oder laufen zu spät ab',
    summary:
      'Der Server beendet Sitzungen nicht, wenn er es sollte. Eine vom Angreifer erlangte Sitzung lässt sich lange verwenden.',
    description: [
      'Die Anwendung entfernt die Sitzung bei der Abmeldung zwar aus dem Browser, der Server akzeptiert sie aber weiterhin, oder es fehlen angemessene Grenzen für Inaktivität und Gesamtdauer. Der Nachweis zeigt, welche Ereignisse eine Sitzung nicht beenden.',
    ],
    impact: [
      'Ein Angreifer, der eine Sitzungskennung erlangt, etwa von einem gemeinsam genutzten Rechner, aus einem Protokoll oder durch Schadsoftware, kann sie weiterverwenden, obwohl sich der Benutzer abgemeldet oder sein Passwort geändert hat. Der Benutzer kann das nicht verhindern.',
    ],
    reproduction: [
      '1. Melden Sie sich an und zeichnen Sie eine Anfrage an eine Seite auf, die eine Sitzung erfordert.',
      '2. Melden Sie sich ab oder führen Sie das im Nachweis genannte Ereignis aus.',
      '3. Senden Sie die aufgezeichnete Anfrage erneut. Der Server liefert weiterhin die Daten des Benutzers.',
    ],
    recommendation: [
      '- Löschen Sie die Sitzung bei der Abmeldung auf dem Server. Das Entfernen des Cookies genügt nicht.',
      '- Beenden Sie alle Sitzungen eines Benutzers, wenn das Passwort geändert oder zurückgesetzt, ein zweiter Faktor geändert oder das Konto gesperrt wird.',
      '- Begrenzen Sie Inaktivität und Gesamtdauer entsprechend dem Schutzbedarf, bei vertraulichen Daten zum Beispiel auf 30 Minuten und 12 Stunden.',
      '- Geben Sie Token, die der Server nicht speichert (etwa JWT), eine kurze Lebensdauer (Minuten) und erneuern Sie sie mit einem Token, das der Server widerrufen kann.',
      '- Zeigen Sie Benutzern ihre aktiven Sitzungen an und ermöglichen Sie ihnen, diese zu beenden.',
    ],
  },
})
