import { entry } from '../entry.ts'

export const unconstrainedDelegation = entry({
  key: 'unconstrained-delegation',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:C/C:H/I:H/A:H',
  cwe: ['CWE-269'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: ['T1558', 'T1187'],
  tags: ['active-directory', 'kerberos', 'delegation'],
  rules: {},
  references: [
    'https://learn.microsoft.com/en-us/defender-for-identity/security-assessment-unconstrained-kerberos',
    'https://learn.microsoft.com/en-us/windows-server/security/kerberos/kerberos-constrained-delegation-overview',
    'https://attack.mitre.org/techniques/T1187/',
    'https://cwe.mitre.org/data/definitions/269.html',
  ],
  guidance: [
    '- List with the LDAP filter `(userAccountControl:1.2.840.113556.1.4.803:=524288)`. Domain controllers have the setting by design and are not a finding.',
    '- Rate by how well the host is protected: an attacker needs administrative rights there. Proof of both parts (rights and coerced sign-in) justifies critical.',
    '- Also check constrained delegation with protocol transition, and who can write `msDS-AllowedToActOnBehalfOfOtherIdentity`.',
  ],
  en: {
    title: 'Computers with unconstrained Kerberos delegation',
    summary:
      'Some computers keep the Kerberos tickets of all users who connect to them. Attackers who control such a computer can act as these users.',
    description: [
      "With unconstrained delegation, the client sends the user's complete ticket (TGT) with each Kerberos sign-in to the affected computer. The computer keeps these tickets in memory and can use them to act as the user towards any service. The evidence lists the computers or accounts with this setting.",
    ],
    impact: [
      'An attacker with administrative rights on such a computer can take over the tickets of all users who are connected to it. In addition, other computers, including domain controllers, can be made to sign in there. This can give the attacker control of the domain.',
    ],
    reproduction: [
      '1. List the computers, for example with `Get-ADComputer -Filter {TrustedForDelegation -eq $true}`.',
      '2. Apart from domain controllers, the list contains the computers from the evidence.',
    ],
    recommendation: [
      '- Switch off unconstrained delegation. If an application needs delegation, use constrained or resource-based delegation for the specific services.',
      '- Mark privileged accounts as "Account is sensitive and cannot be delegated", or put them into the group Protected Users.',
      '- Until then, protect the affected computers like domain controllers: few administrators, current updates, no other use.',
      '- Switch off the print spooler on domain controllers, and install current updates, which block known ways to force sign-ins.',
    ],
  },
  de: {
    title: 'Computer mit uneingeschränkter Kerberos-Delegierung',
    summary:
      'Computer speichern Anmeldetickets aller Benutzer, die sich mit ihnen verbinden. Mit der Kontrolle über einen solchen Computer können Angreifer im Namen dieser Benutzer handeln.',
    description: [
      'Bei uneingeschränkter Delegierung sendet der Client bei jeder Kerberos-Anmeldung am betroffenen Computer ein vollständiges Ticket (TGT) des Benutzers mit. Damit kann der Computer gegenüber beliebigen Diensten im Namen des Benutzers handeln. Die Tickets verbleiben im Speicher des Computers. Der Nachweis führt die Computer oder Konten mit dieser Einstellung auf.',
    ],
    impact: [
      'Ein Angreifer mit administrativen Rechten auf einem solchen Computer kann die Tickets aller mit ihm verbundenen Benutzer übernehmen. Zudem lassen sich andere Computer, auch Domänencontroller, zu einer Anmeldung dort bringen. Der Angreifer kann so die Kontrolle über die Domäne erlangen.',
    ],
    reproduction: [
      '1. Listen Sie die Computer auf, zum Beispiel mit `Get-ADComputer -Filter {TrustedForDelegation -eq $true}`.',
      '2. Abgesehen von Domänencontrollern enthält die Liste die Computer aus dem Nachweis.',
    ],
    recommendation: [
      '- Schalten Sie die uneingeschränkte Delegierung ab. Benötigt eine Anwendung Delegierung, verwenden Sie die eingeschränkte oder ressourcenbasierte Delegierung für die konkreten Dienste.',
      '- Kennzeichnen Sie privilegierte Konten mit „Konto ist vertraulich und kann nicht delegiert werden“ oder nehmen Sie sie in die Gruppe Protected Users auf.',
      '- Schützen Sie die betroffenen Computer bis zur Umstellung wie Domänencontroller: wenige Administratoren, aktuelle Updates, keine andere Nutzung.',
      '- Schalten Sie auf Domänencontrollern die Druckwarteschlange ab und installieren Sie aktuelle Updates gegen erzwungene Anmeldungen.',
    ],
  },
})
