import { entry } from '../entry.ts'

export const weakDomainPasswords = entry({
  key: 'weak-domain-passwords',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  cwe: ['CWE-521'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  attack: ['T1110.003', 'T1110.002'],
  tags: ['active-directory', 'passwords'],
  rules: {},
  references: [
    'https://learn.microsoft.com/en-us/entra/identity/authentication/concept-password-ban-bad-on-premises',
    'https://pages.nist.gov/800-63-4/sp800-63b.html',
    'https://attack.mitre.org/techniques/T1110/003/',
    'https://cwe.mitre.org/data/definitions/521.html',
  ],
  guidance: [
    "- Read the lockout policy first, including fine-grained ones. Try at most one or two passwords per account in one observation window, and count the users' own errors (`badPwdCount`).",
    '- For an analysis of the hashes, agree on storage and deletion. Report numbers and patterns, never a list of people and passwords.',
    '- Distinguish what matters: passwords of administrators and services, reuse between ordinary and administrative accounts, passwords in leaks.',
  ],
  en: {
    title: 'Weak passwords in the domain',
    summary:
      'Passwords of domain accounts can be guessed. Attackers can use them to gain access to the internal network.',
    description: [
      'Domain accounts have passwords that are easy to guess, such as season and year, the name of the organization, or keyboard patterns. The password policy of the domain permits them. The evidence shows how many accounts are affected and which patterns occur.',
    ],
    impact: [
      'Attackers can try a few likely passwords for many accounts without locking them (password spraying), also on services that are accessible from the internet. A single hit gives access to e-mails, files and internal systems, and is a starting point for further attacks.',
    ],
    reproduction: [
      '1. Try the agreed password from the evidence once for the agreed accounts.',
      '2. The sign-in succeeds for the number of accounts that the evidence states.',
    ],
    recommendation: [
      '- Have the affected passwords changed, beginning with administrators and service accounts.',
      '- Raise the minimum length to 14 characters, and use fine-grained policies with 20 or more for administrators and services.',
      '- Block common words, names of the organization and leaked passwords, for example with Entra Password Protection, which also works with on-premises Active Directory.',
      '- Require a second factor for all access from outside.',
      '- Monitor failed sign-ins across accounts, so that password spraying is noticed.',
    ],
  },
  de: {
    title: 'Schwache Passwörter in der Domäne',
    summary: 'Passwörter von Domänenkonten lassen sich erraten. Angreifer erhalten damit Zugang zum internen Netzwerk.',
    description: [
      'Konten der Domäne haben leicht zu erratende Passwörter wie Jahreszeit und Jahr, den Namen der Organisation oder Tastaturmuster. Die Richtlinien der Domäne lassen solche Passwörter zu. Der Nachweis zeigt, wie viele Konten betroffen sind und welche Muster vorkommen.',
    ],
    impact: [
      'Angreifer können wenige wahrscheinliche Passwörter bei vielen Konten ausprobieren, ohne diese zu sperren (Password Spraying), auch an Diensten, die aus dem Internet erreichbar sind. Ein einziger Treffer gibt Zugang zu E-Mails, Dateien und internen Systemen und ist Ausgangspunkt für weitere Angriffe.',
    ],
    reproduction: [
      '1. Probieren Sie das vereinbarte Passwort aus dem Nachweis einmal bei den vereinbarten Konten aus.',
      '2. Die Anmeldung gelingt bei der im Nachweis angegebenen Zahl von Konten.',
    ],
    recommendation: [
      '- Lassen Sie die betroffenen Passwörter ändern, beginnend mit Administratoren und Dienstkonten.',
      '- Erhöhen Sie die Mindestlänge auf 14 Zeichen und verwenden Sie für Administratoren und Dienste eigene Richtlinien (Fine-Grained Password Policies) mit 20 oder mehr Zeichen.',
      '- Sperren Sie gängige Wörter, Namen der Organisation und geleakte Passwörter, zum Beispiel mit Entra Password Protection, das auch mit lokalem Active Directory funktioniert.',
      '- Verlangen Sie für jeden Zugriff von außen einen zweiten Faktor.',
      '- Überwachen Sie fehlgeschlagene Anmeldungen kontoübergreifend, damit Password Spraying auffällt.',
    ],
  },
})
