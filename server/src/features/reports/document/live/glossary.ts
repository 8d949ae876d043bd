import { baseOf } from '../../labels/labels.ts'

interface Term {
  term: string
  en: string
  de: string
}

/** Terms that clients ask about, with what they mean in English and in German. */
const TERMS: readonly Term[] = [
  {
    term: 'API',
    en: 'Interface through which programs talk to each other.',
    de: 'Schnittstelle, über die Programme miteinander sprechen.',
  },
  {
    term: 'CSRF',
    en: 'Cross-site request forgery: another site makes the browser of a signed-in person send a request.',
    de: 'Cross-Site Request Forgery: Eine fremde Seite lässt den Browser einer angemeldeten Person eine Anfrage senden.',
  },
  {
    term: 'CVE',
    en: 'Public number of a known weakness in a product.',
    de: 'Öffentliche Nummer einer bekannten Schwachstelle in einem Produkt.',
  },
  {
    term: 'CVSS',
    en: 'Common Vulnerability Scoring System: rates a weakness from 0 to 10.',
    de: 'Common Vulnerability Scoring System: bewertet eine Schwachstelle von 0 bis 10.',
  },
  { term: 'CWE', en: 'Public list of kinds of weaknesses.', de: 'Öffentliche Liste der Arten von Schwachstellen.' },
  {
    term: 'DNS',
    en: 'Translates names such as www.example.com to addresses.',
    de: 'Übersetzt Namen wie www.example.com in Adressen.',
  },
  {
    term: 'HSTS',
    en: 'Tells browsers to connect to a site with encryption only.',
    de: 'Weist Browser an, eine Seite nur verschlüsselt zu öffnen.',
  },
  {
    term: 'IDOR',
    en: 'Insecure direct object reference: changing an id in a request shows data of others.',
    de: 'Insecure Direct Object Reference: Eine geänderte Kennung in einer Anfrage zeigt fremde Daten.',
  },
  {
    term: 'JWT',
    en: 'JSON Web Token: signed data that proves who someone is.',
    de: 'JSON Web Token: signierte Daten, die belegen, wer jemand ist.',
  },
  {
    term: 'LDAP',
    en: 'Protocol for directories of people and devices.',
    de: 'Protokoll für Verzeichnisse von Personen und Geräten.',
  },
  {
    term: 'MFA',
    en: 'Multi-factor authentication: signing in needs more than a password.',
    de: 'Mehr-Faktor-Authentisierung: Zur Anmeldung genügt kein Passwort.',
  },
  {
    term: 'OWASP',
    en: 'Foundation that publishes guides for the security of software.',
    de: 'Stiftung, die Leitfäden zur Sicherheit von Software veröffentlicht.',
  },
  {
    term: 'RCE',
    en: 'Remote code execution: an attacker runs programs on the system.',
    de: 'Remote Code Execution: Ein Angreifer führt Programme auf dem System aus.',
  },
  { term: 'SMB', en: 'Protocol for shared files and printers.', de: 'Protokoll für gemeinsame Dateien und Drucker.' },
  { term: 'SQL', en: 'Language for asking databases.', de: 'Sprache für Abfragen an Datenbanken.' },
  {
    term: 'SQL injection',
    en: 'Input becomes part of a statement of the database.',
    de: 'Eingaben werden Teil einer Anweisung an die Datenbank.',
  },
  {
    term: 'SSRF',
    en: 'Server-side request forgery: the server is made to send requests for an attacker.',
    de: 'Server-Side Request Forgery: Der Server sendet Anfragen im Sinn eines Angreifers.',
  },
  { term: 'TLS', en: 'Encrypts connections on the internet.', de: 'Verschlüsselt Verbindungen im Internet.' },
  { term: 'VPN', en: 'Encrypted connection into a network.', de: 'Verschlüsselte Verbindung in ein Netz.' },
  {
    term: 'WAF',
    en: 'Web application firewall: filters requests to a web application.',
    de: 'Web Application Firewall: filtert Anfragen an eine Webanwendung.',
  },
  { term: 'WSTG', en: 'Web Security Testing Guide of OWASP.', de: 'Web Security Testing Guide der OWASP.' },
  {
    term: 'XSS',
    en: 'Cross-site scripting: an attacker runs code in the browsers of others.',
    de: 'Cross-Site Scripting: Ein Angreifer führt Code in den Browsern anderer aus.',
  },
  {
    term: 'XXE',
    en: 'XML external entity: a document makes the server read other files.',
    de: 'XML External Entity: Ein Dokument lässt den Server andere Dateien lesen.',
  },
]

const WORD = /[\p{L}\p{N}]/u

/** The terms that occur as whole words, by name. */
export const termsIn = (texts: readonly string[], language: string): { term: string; meaning: string }[] => {
  const meaningIn = baseOf(language) === 'de' ? 'de' : 'en'
  const occurs = (term: string) => texts.some((text) => hasWord(text, term))
  return TERMS.filter(({ term }) => occurs(term)).map((one) => ({ term: one.term, meaning: one[meaningIn] }))
}

const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ''
    const after = text[at + word.length] ?? ''
    if (!WORD.test(before) && !WORD.test(after)) return true
  }
  return false
}
