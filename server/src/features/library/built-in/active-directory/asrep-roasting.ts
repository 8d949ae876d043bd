import { entry } from '../entry.ts'

export const asrepRoasting = entry({
  key: 'asrep-roasting',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-287', 'CWE-521'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1558.004'],
  tags: ['active-directory', 'kerberos', 'passwords'],
  rules: {},
  references: [
    'https://attack.mitre.org/techniques/T1558/004/',
    'https://learn.microsoft.com/en-us/troubleshoot/windows-server/active-directory/useraccountcontrol-manipulate-account-properties',
    'https://cwe.mitre.org/data/definitions/287.html',
  ],
  guidance: [
    '- List the accounts with the LDAP filter `(userAccountControl:1.2.840.113556.1.4.803:=4194304)`, and leave out deactivated ones.',
    '- The attack needs no account, only names. Show this by requesting without credentials.',
    '- Raise the severity if a password was cracked and the account has significant rights.',
  ],
  en: {
    title: 'Accounts without Kerberos pre-authentication (AS-REP roasting)',
    summary:
      'For some accounts, attackers can request data without any credentials and use it to guess the password offline.',
    description: [
      'Normally, a user proves knowledge of the password before the domain controller issues a Kerberos ticket (pre-authentication). For the accounts in the evidence, this is switched off. The domain controller therefore sends anyone who knows the account name a response that is partly encrypted with a key derived from the password.',
    ],
    impact: [
      'Attackers on the network can try passwords against this response offline without limits. With a weak password, they obtain access to the domain with the rights of the account.',
    ],
    reproduction: [
      '1. Request the data without credentials, for example with `GetNPUsers.py DOMAIN/ -usersfile users.txt -no-pass`.',
      '2. The domain controller returns the response for the account from the evidence.',
      '3. Try passwords with `hashcat -m 18200`.',
    ],
    recommendation: [
      '- Switch pre-authentication on again: remove the option "Do not require Kerberos preauthentication" for all accounts.',
      '- If an old application needs it, give the account a random password of at least 25 characters and minimal rights, and plan to replace the application.',
      '- Change the passwords of the affected accounts, since they may already have been cracked.',
      '- Monitor the option, so that newly affected accounts are noticed.',
    ],
  },
  de: {
    title: 'Konten ohne Kerberos-Präauthentifizierung (AS-REP Roasting)',
    summary:
      'Für einige Konten lassen sich ohne Zugangsdaten Daten anfordern, mit denen das Passwort offline erraten werden kann.',
    description: [
      'Üblicherweise weist ein Benutzer die Kenntnis des Passworts nach, bevor der Domänencontroller ein Kerberos-Ticket ausstellt (Präauthentifizierung). Bei den Konten im Nachweis ist sie abgeschaltet. Der Domänencontroller sendet daher jedem, der den Kontonamen kennt, eine Antwort, die zum Teil mit einem vom Passwort abgeleiteten Schlüssel verschlüsselt ist.',
    ],
    impact: [
      'Angreifer im Netzwerk können an dieser Antwort auf eigenen Rechnern unbegrenzt Passwörter ausprobieren. Bei einem schwachen Passwort erhalten sie mit den Rechten des Kontos Zugang zur Domäne.',
    ],
    reproduction: [
      '1. Fordern Sie die Daten ohne Zugangsdaten an, zum Beispiel mit `GetNPUsers.py DOMAIN/ -usersfile users.txt -no-pass`.',
      '2. Der Domänencontroller liefert die Antwort für das Konto aus dem Nachweis.',
      '3. Probieren Sie Passwörter mit `hashcat -m 18200` aus.',
    ],
    recommendation: [
      '- Schalten Sie die Präauthentifizierung wieder ein: Entfernen Sie bei allen Konten die Option „Keine Kerberos-Präauthentifizierung erforderlich“.',
      '- Benötigt eine alte Anwendung die Option, geben Sie dem Konto ein zufälliges Passwort mit mindestens 25 Zeichen und wenige Rechte und planen Sie die Ablösung der Anwendung.',
      '- Ändern Sie die Passwörter der betroffenen Konten, da sie bereits geknackt sein können.',
      '- Überwachen Sie die Option, damit neu betroffene Konten auffallen.',
    ],
  },
})
