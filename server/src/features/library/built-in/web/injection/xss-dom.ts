import { entry } from '../../entry.ts'

export const xssDom = entry({
  key: 'xss-dom',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cwe: ['CWE-79'],
  owasp: ['A03:2021', 'A05:2025'],
  wstg: ['WSTG-CLNT-01'],
  attack: ['T1059.007'],
  tags: ['web', 'injection', 'xss', 'javascript'],
  rules: { nuclei: ['dom-xss'], burp: [0x00200310, 0x00200311, 0x00200312], zap: ['40026'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/DOM_based_XSS_Prevention_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/API/Trusted_Types_API',
    'https://github.com/cure53/DOMPurify',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  guidance: [
    "- Follow the value in the browser's debugger from its source (`location`, `postMessage`, `document.referrer`, storage) to its sink (`innerHTML`, `document.write`, `eval`, `setTimeout` with text, `jQuery.html`).",
    "- Static results often report a sink without a way for an attacker's value to reach it. Confirm that the script runs in a browser.",
    '- Browsers encode parts of `location.search` and `location.hash`. Test in the browsers that the client supports.',
    '- The fragment after `#` is never sent to the server, so server logs and firewalls do not see this attack.',
  ],
  en: {
    title: 'DOM-based cross-site scripting (XSS)',
    summary:
      "JavaScript of the application writes values that attackers control into the page in an unsafe way. A crafted link runs a script in the victim's browser.",
    description: [
      'Code in the browser reads a value that attackers can choose, for example from the address, and passes it to a function that interprets text as HTML or code. The server is not involved and cannot detect the attack in its logs if the value is in the fragment of the address.',
    ],
    impact: [
      'An attacker who gets a user to open a link can act in the application as that user: read the displayed data, trigger actions, or show a fake sign-in form.',
    ],
    reproduction: [
      '1. Open the affected address with the value from the evidence in a browser.',
      '2. The script of the page processes the value, and the injected code runs.',
    ],
    recommendation: [
      '- Write text with `textContent`, and set only harmless attributes, never event handlers or unchecked addresses. Avoid `innerHTML`, `document.write`, `eval` and functions that accept code as text.',
      '- If HTML must be inserted, sanitize it first with a maintained library such as DOMPurify.',
      '- Check addresses before they are used in links or redirects: allow `https:` and relative addresses only, so that `javascript:` is rejected.',
      '- Check the origin of every message that is received with `postMessage`.',
      "- Enforce Trusted Types with the Content Security Policy (`require-trusted-types-for 'script'`), so that browsers that support it reject unsafe assignments.",
    ],
  },
  de: {
    title: 'DOM-basiertes Cross-Site-Scripting (XSS)',
    summary:
      'JavaScript der Anwendung schreibt von Angreifern kontrollierte Werte auf unsichere Weise in die Seite. Ein präparierter Link führt im Browser des Opfers ein Skript aus.',
    description: [
      'Code im Browser liest einen Wert, den Angreifer wählen können, etwa aus der Adresse, und übergibt ihn an eine Funktion, die Text als HTML oder Code interpretiert. Der Server ist daran nicht beteiligt. Steht der Wert im Fragment der Adresse, ist der Angriff auch in den Serverprotokollen nicht erkennbar.',
    ],
    impact: [
      'Bringt ein Angreifer einen Benutzer dazu, einen Link zu öffnen, kann er in der Anwendung in dessen Namen handeln: angezeigte Daten lesen, Aktionen auslösen oder ein gefälschtes Anmeldeformular einblenden.',
    ],
    reproduction: [
      '1. Öffnen Sie die betroffene Adresse mit dem Wert aus dem Nachweis in einem Browser.',
      '2. Das Skript der Seite verarbeitet den Wert, und der eingeschleuste Code wird ausgeführt.',
    ],
    recommendation: [
      '- Schreiben Sie Text mit `textContent` und setzen Sie nur unbedenkliche Attribute, niemals Event-Handler oder ungeprüfte Adressen. Vermeiden Sie `innerHTML`, `document.write`, `eval` und Funktionen, die Code als Text entgegennehmen.',
      '- Muss HTML eingefügt werden, bereinigen Sie es vorher mit einer gepflegten Bibliothek wie DOMPurify.',
      '- Prüfen Sie Adressen vor der Verwendung in Links oder Weiterleitungen: Lassen Sie nur `https:` und relative Adressen zu, damit `javascript:` abgewiesen wird.',
      '- Prüfen Sie bei jeder mit `postMessage` empfangenen Nachricht den Origin des Absenders.',
      "- Erzwingen Sie Trusted Types über die Content Security Policy (`require-trusted-types-for 'script'`), damit Browser, die dies unterstützen, unsichere Zuweisungen ablehnen.",
    ],
  },
})
