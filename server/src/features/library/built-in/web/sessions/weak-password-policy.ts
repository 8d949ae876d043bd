import { entry } from '../../entry.ts'

export const weakPasswordPolicy = entry({
  key: 'weak-password-policy',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  cwe: ['CWE-521'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: ['WSTG-ATHN-07'],
  attack: ['T1110'],
  tags: ['web', 'authentication', 'passwords'],
  rules: {},
  references: [
    'https://pages.nist.gov/800-63-4/sp800-63b.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/521.html',
  ],
  guidance: [
    '- Test on the server, not in the form: send short and common passwords directly (`password`, `12345678`, the user name, the product name).',
    '- Check every way to set a password: registration, change, reset, invitation, import by administrators.',
    '- Also note maximum lengths below 64 characters, and passwords that are silently truncated.',
    "- If the identity provider is outside the scope, report the finding for the provider's configuration and only once.",
  ],
  en: {
    title: 'Weak password policy',
    summary: 'The application accepts short or common passwords. Attackers can guess them easily.',
    description: [
      'The application allows passwords that are short, appear in lists of common passwords, or are derived from the name of the user or the product. The evidence lists accepted passwords.',
    ],
    impact: [
      'Users will choose weak passwords. Attackers can guess them with few attempts, or recover them quickly from stolen password hashes, and take over accounts.',
    ],
    reproduction: [
      '1. Change the password of a test account to one of the passwords from the evidence.',
      '2. The application accepts it, and the sign-in works.',
    ],
    recommendation: [
      '- Require at least 12 characters, or 15 if the password is the only factor, and allow at least 64 characters including spaces and all printable characters.',
      '- Compare new passwords with a list of leaked and common passwords, and reject matches as well as the names of the user and the product.',
      '- Do not require particular kinds of characters, and do not force regular changes. Both lead to predictable patterns. Require a change if there are signs that a password is compromised.',
      '- Explain the rules in the form, show the strength, and allow pasting from password managers.',
      '- Offer a second factor or passkeys.',
    ],
  },
  de: {
    title: 'Schwache Passwortrichtlinie',
    summary: 'Die Anwendung akzeptiert kurze oder gängige Passwörter. Angreifer können sie leicht erraten.',
    description: [
      'Die Anwendung erlaubt Passwörter, die kurz sind, in Listen gängiger Passwörter vorkommen oder vom Namen des Benutzers oder des Produkts abgeleitet sind. Der Nachweis führt akzeptierte Passwörter auf.',
    ],
    impact: [
      'Benutzer werden schwache Passwörter wählen. Angreifer können sie mit wenigen Versuchen erraten oder aus gestohlenen Passwort-Hashes schnell ermitteln und Konten übernehmen.',
    ],
    reproduction: [
      '1. Ändern Sie das Passwort eines Testkontos auf eines der Passwörter aus dem Nachweis.',
      '2. Die Anwendung akzeptiert es, und die Anmeldung gelingt.',
    ],
    recommendation: [
      '- Verlangen Sie mindestens 12 Zeichen, oder 15, wenn das Passwort der einzige Faktor ist, und erlauben Sie mindestens 64 Zeichen einschließlich Leerzeichen und aller druckbaren Zeichen.',
      '- Gleichen Sie neue Passwörter mit einer Liste geleakter und gängiger Passwörter ab und weisen Sie Treffer sowie Namen von Benutzer und Produkt ab.',
      '- Verzichten Sie auf Vorgaben zu Zeichenarten und auf regelmäßig erzwungene Änderungen. Sie führen zu vorhersehbaren Mustern. Verlangen Sie eine Änderung, wenn es Anzeichen gibt, dass ein Passwort bekannt geworden ist.',
      '- Erläutern Sie die Regeln im Formular, zeigen Sie die Stärke an und erlauben Sie das Einfügen aus Passwortmanagern.',
      '- Bieten Sie einen zweiten Faktor oder Passkeys an.',
    ],
  },
})
