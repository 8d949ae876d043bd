import { entry } from '../../entry.ts'

export const passwordResetPoisoning = entry({
  key: 'password-reset-poisoning',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  cwe: ['CWE-640'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: ['WSTG-ATHN-09', 'WSTG-INPV-17'],
  attack: ['T1566.002'],
  tags: ['web', 'authentication', 'passwords'],
  rules: {},
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
    'https://portswigger.net/web-security/host-header/exploiting/password-reset-poisoning',
    'https://cwe.mitre.org/data/definitions/640.html',
  ],
  guidance: [
    '- Request a reset for your own test account with a changed `Host`, `X-Forwarded-Host` or a second `Host` header, and read the received e-mail: the link must contain the changed name.',
    '- A host name that is only reflected in a page or a redirect is not this finding. Scanners report reflections.',
    '- Never request resets for accounts of real users.',
    '- If mail scanners open links, the victim does not have to click: raise the severity.',
  ],
  en: {
    title: 'Attackers control the address in password reset links',
    summary:
      'The application builds links in its e-mails from the host name of the request. Attackers can redirect a password reset to their own server and take over accounts.',
    description: [
      "When a password reset is requested, the application takes the host name for the link in the e-mail from a header of the request. The sender of the request can choose this header freely. The user then receives a genuine e-mail from the application whose link contains the secret token and leads to the attacker's server.",
    ],
    impact: [
      'If the user, or an automatic scanner of the mail system, opens the link, the attacker obtains the token, sets a new password and takes over the account.',
    ],
    reproduction: [
      '1. Request a password reset for a test account and set the header that the evidence names to a host that you control.',
      '2. Open the received e-mail. The link contains your host name together with the token.',
    ],
    recommendation: [
      '- Take the base address for links in e-mails from the configuration, never from the request.',
      '- Configure web server and application to accept only known host names, and to ignore `X-Forwarded-Host` unless it comes from your own proxy.',
      '- Create tokens with a cryptographically secure random number generator, let them expire after at most one hour, and accept each only once.',
      '- Notify users by e-mail when their password changes.',
    ],
  },
  de: {
    title: 'Links zum Zurücksetzen des Passworts lassen sich manipulieren',
    summary:
      'Die Anwendung bildet Links in ihren E-Mails aus dem Hostnamen der Anfrage. Angreifer können das Zurücksetzen eines Passworts auf ihren eigenen Server lenken und Konten übernehmen.',
    description: [
      'Wird das Zurücksetzen eines Passworts angefordert, übernimmt die Anwendung den Hostnamen für den Link in der E-Mail aus einem Header der Anfrage. Diesen Header kann der Absender der Anfrage frei wählen. Der Benutzer erhält eine echte E-Mail der Anwendung, deren Link das geheime Token enthält und zum Server des Angreifers führt.',
    ],
    impact: [
      'Öffnet der Benutzer oder ein automatischer Scanner des Mailsystems den Link, erhält der Angreifer das Token, setzt ein neues Passwort und übernimmt das Konto.',
    ],
    reproduction: [
      '1. Fordern Sie für ein Testkonto das Zurücksetzen des Passworts an und setzen Sie den im Nachweis genannten Header auf einen von Ihnen kontrollierten Host.',
      '2. Öffnen Sie die erhaltene E-Mail. Der Link enthält Ihren Hostnamen zusammen mit dem Token.',
    ],
    recommendation: [
      '- Entnehmen Sie die Basisadresse für Links in E-Mails der Konfiguration, niemals der Anfrage.',
      '- Konfigurieren Sie Webserver und Anwendung so, dass sie nur bekannte Hostnamen annehmen und `X-Forwarded-Host` ignorieren, sofern der Header nicht vom eigenen Proxy stammt.',
      '- Erzeugen Sie Token mit einem kryptografischen Zufallszahlengenerator, lassen Sie sie nach höchstens einer Stunde ablaufen und akzeptieren Sie jedes nur einmal.',
      '- Benachrichtigen Sie Benutzer per E-Mail, wenn ihr Passwort geändert wurde.',
    ],
  },
})
