import { entry } from '../entry.ts'

export const defaultCredentials = entry({
  key: 'default-credentials',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-1392', 'CWE-521'],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: ['WSTG-ATHN-02'],
  attack: ['T1078.001'],
  tags: ['infrastructure', 'passwords'],
  rules: {
    nuclei: [
      'tomcat-default-login',
      'grafana-default-login',
      'ssh-default-logins',
      'postgres-default-logins',
      'mssql-default-logins',
      'mysql-default-login',
      'redis-default-logins',
    ],
    nessus: [26925, 34970, 61708],
  },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/04-Authentication_Testing/02-Testing_for_Default_Credentials',
    'https://www.cisa.gov/news-events/alerts/2013/06/24/risks-default-passwords-internet',
    'https://cwe.mitre.org/data/definitions/1392.html',
  ],
  guidance: [
    '- Sign in by hand with the reported credentials, take a screenshot of a harmless page, and sign out. Change nothing.',
    '- Some devices accept every password and only limit functions later, and some honeypots accept everything.',
    '- Watch for account lockouts: try at most two or three pairs per account.',
    '- Rate by what the access allows: the read-only status page of a printer is medium.',
  ],
  en: {
    title: 'Systems with default or empty passwords',
    summary:
      "Systems accept the vendor's default password, or none at all. Attackers obtain administrative access without effort.",
    description: [
      'The affected systems can be accessed without a password, or with a user name and password that are trivial or that the vendor documents publicly. The evidence lists the systems and accounts.',
    ],
    impact: [
      'Anyone who can reach the system over the network can sign in. With administrative rights, attackers can read and change data and configuration, run their own programs in many cases, and use the system to attack others.',
    ],
    reproduction: [
      '1. Open the affected service.',
      '2. Sign in with the credentials that the evidence names.',
      '3. Access is granted.',
    ],
    recommendation: [
      '- Immediately change the passwords to long, random ones that differ for each system, and keep them in a password manager. Remove or lock accounts that are not required.',
      '- Restrict access to administrative interfaces to an administration network.',
      '- Make changing default passwords a mandatory step before systems go into operation, and check regularly for default passwords.',
      '- Check for signs of unauthorized access, such as unknown accounts and changed settings, before the system remains in use.',
    ],
  },
  de: {
    title: 'Systeme mit Standard- oder leeren Passwörtern',
    summary:
      'Systeme akzeptieren das vom Hersteller gesetzte oder gar kein Passwort. Angreifer erhalten mühelos administrativen Zugriff.',
    description: [
      'Auf die betroffenen Systeme lässt sich mit einem Benutzernamen und Passwort zugreifen, die der Hersteller öffentlich dokumentiert oder die trivial sind, oder ganz ohne Passwort. Der Nachweis führt die Systeme und Konten auf.',
    ],
    impact: [
      'Alle, die das System über das Netzwerk erreichen, können sich anmelden. Mit administrativen Rechten können Angreifer Daten und Konfiguration lesen und ändern, in vielen Fällen eigene Programme ausführen und vom System aus weitere angreifen.',
    ],
    reproduction: [
      '1. Öffnen Sie den betroffenen Dienst.',
      '2. Melden Sie sich mit den im Nachweis genannten Zugangsdaten an.',
      '3. Der Zugang wird gewährt.',
    ],
    recommendation: [
      '- Ersetzen Sie die Passwörter umgehend durch lange, zufällige, für jedes System unterschiedliche und bewahren Sie diese in einem Passwortmanager auf. Entfernen oder sperren Sie nicht benötigte Konten.',
      '- Beschränken Sie den Zugriff auf administrative Oberflächen auf ein Administrationsnetz.',
      '- Machen Sie das Ändern von Standardpasswörtern zum verbindlichen Schritt vor der Inbetriebnahme und prüfen Sie Ihre Systeme regelmäßig darauf.',
      '- Prüfen Sie die Systeme vor der weiteren Nutzung auf Anzeichen unbefugter Zugriffe, etwa unbekannte Konten und geänderte Einstellungen.',
    ],
  },
})
