import { entry } from '../entry.ts'

export const kerberoasting = entry({
  key: 'kerberoasting',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-521'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1558.003'],
  tags: ['active-directory', 'kerberos', 'passwords'],
  rules: {},
  references: [
    'https://attack.mitre.org/techniques/T1558/003/',
    'https://learn.microsoft.com/en-us/windows-server/security/group-managed-service-accounts/group-managed-service-accounts-overview',
    'https://www.microsoft.com/en-us/security/blog/2024/10/11/microsofts-guidance-to-help-mitigate-kerberoasting/',
    'https://cwe.mitre.org/data/definitions/521.html',
  ],
  guidance: [
    '- Only user and service accounts with a service principal name count. Computer accounts and managed service accounts have random passwords and are not a finding.',
    '- The finding needs a cracked password, or at least an old or short one. An account with a long random password is informational.',
    '- Request tickets for selected accounts only: requests for all accounts at once raise alarms, which may or may not be wanted.',
    '- Note the rights of each account (group memberships, local administrators), and rate by the most powerful one.',
  ],
  en: {
    title: 'Passwords of service accounts can be cracked (Kerberoasting)',
    summary:
      'Every domain user can request data that allows the passwords of service accounts to be guessed offline. At least one password is weak.',
    description: [
      'In Active Directory, every domain user can request a Kerberos ticket for any service. A part of the ticket is encrypted with a key that is derived from the password of the service account. Attackers can try passwords against it offline, without limits and without being noticed. Kerberos works this way by design. It becomes a vulnerability when passwords are weak, as they are for the accounts in the evidence.',
    ],
    impact: [
      'An attacker with any domain account can obtain the passwords of the affected service accounts. Such accounts often have extensive rights, sometimes those of a domain administrator.',
    ],
    reproduction: [
      '1. Request tickets with an ordinary account, for example with `GetUserSPNs.py -request DOMAIN/USER`.',
      '2. Try passwords with a word list, for example with `hashcat -m 13100` (RC4) or `-m 19700` (AES-256).',
      '3. The password of the account from the evidence is found.',
    ],
    recommendation: [
      '- Change the passwords of the affected accounts to random ones of at least 25 characters.',
      '- Replace service accounts with group managed service accounts (gMSA), whose long passwords Windows changes by itself.',
      '- Remove service principal names that are no longer required, in particular from administrator accounts.',
      '- Give service accounts only the necessary rights. They must not be members of Domain Admins.',
      '- Allow only AES for these accounts, and monitor unusual numbers of ticket requests (event 4769), including those for an unused decoy account.',
    ],
  },
  de: {
    title: 'Passwörter von Dienstkonten lassen sich knacken (Kerberoasting)',
    summary:
      'Jeder Benutzer der Domäne kann Daten anfordern, mit denen sich Passwörter von Dienstkonten offline erraten lassen. Mindestens ein Passwort ist schwach.',
    description: [
      'In Active Directory kann jeder Benutzer der Domäne ein Kerberos-Ticket für einen beliebigen Dienst anfordern. Ein Teil des Tickets ist mit einem Schlüssel verschlüsselt, der vom Passwort des Dienstkontos abgeleitet ist. Angreifer können daran auf eigenen Rechnern unbegrenzt und unbemerkt Passwörter ausprobieren. Das ist eine Eigenschaft von Kerberos. Zur Schwachstelle wird es durch schwache Passwörter, wie sie bei den Konten im Nachweis gefunden wurden.',
    ],
    impact: [
      'Ein Angreifer mit einem beliebigen Domänenkonto erlangt die Passwörter der betroffenen Dienstkonten. Solche Konten haben häufig weitreichende Rechte bis hin zu denen eines Domänenadministrators.',
    ],
    reproduction: [
      '1. Fordern Sie mit einem gewöhnlichen Konto Tickets an, zum Beispiel mit `GetUserSPNs.py -request DOMAIN/USER`.',
      '2. Probieren Sie Passwörter mit einer Wortliste aus, zum Beispiel mit `hashcat -m 13100` (RC4) oder `-m 19700` (AES-256).',
      '3. Das Passwort des Kontos aus dem Nachweis wird gefunden.',
    ],
    recommendation: [
      '- Ersetzen Sie die Passwörter der betroffenen Konten durch zufällige mit mindestens 25 Zeichen.',
      '- Ersetzen Sie Dienstkonten durch gruppenverwaltete Dienstkonten (gMSA), deren lange Passwörter Windows selbst ändert.',
      '- Entfernen Sie nicht mehr benötigte Service Principal Names, insbesondere von Administratorkonten.',
      '- Geben Sie Dienstkonten nur die nötigen Rechte. Sie dürfen nicht Mitglied der Domänen-Admins sein.',
      '- Erlauben Sie für diese Konten nur AES und überwachen Sie auffällig viele Ticketanforderungen (Ereignis 4769), auch für ein ungenutztes Köderkonto.',
    ],
  },
})
