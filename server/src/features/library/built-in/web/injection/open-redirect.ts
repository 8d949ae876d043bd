import { entry } from '../../entry.ts'

export const openRedirect = entry({
  key: 'open-redirect',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:N/I:L/A:N',
  cwe: ['CWE-601'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-CLNT-04'],
  attack: ['T1566.002'],
  tags: ['web', 'phishing'],
  rules: {
    nuclei: ['open-redirect', 'open-redirect-generic', 'open-redirect-bypass'],
    burp: [0x00500100, 0x00500101, 0x00500110, 0x00500111, 0x00500112],
    zap: ['20019', '10028'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/601.html',
  ],
  guidance: [
    '- Confirm that the browser leaves the site: some servers answer with a `Location` that browsers resolve to the same host.',
    '- Redirects that only a `Host` header causes are not this finding.',
    '- Check whether the address is part of a sign-in or OAuth flow. If codes or tokens reach the other site, the finding is account takeover: raise the severity.',
    '- Try `//host`, `/\\host`, `https:host` and user information (`https://good@bad`), which defeat simple checks.',
  ],
  en: {
    title: 'Open redirect',
    summary:
      'The application redirects to addresses that the request contains. Attackers can create links that show the name of the application but lead to other sites.',
    description: [
      'The application takes the destination of a redirect from the request and does not check that it belongs to the application. A link with the trusted name of the application can therefore lead to any other site.',
    ],
    impact: [
      "Attackers can use such links for phishing: the link shows the name of the organization, and the victim arrives at the attacker's site, such as a copy of the sign-in page. If the redirect is part of a sign-in, access tokens may reach the other site.",
    ],
    reproduction: [
      '1. Open the affected address in a browser, with the address of another site as the value of the parameter.',
      '2. The browser shows the other site.',
    ],
    recommendation: [
      '- Redirect only to paths of the application. Parse the value with the URL library of the programming language, and compare scheme, host and port with those of the application.',
      '- If other sites are needed, use a list of allowed destinations, and pass a name or number of the list in the parameter instead of an address.',
      '- Register complete redirect addresses for OAuth clients and compare them exactly.',
    ],
  },
  de: {
    title: 'Offene Weiterleitung (Open Redirect)',
    summary:
      'Die Anwendung leitet auf Adressen weiter, die in der Anfrage stehen. Angreifer können den Namen der Anwendung für Links nutzen, die auf andere Seiten führen.',
    description: [
      'Die Anwendung übernimmt das Ziel einer Weiterleitung aus der Anfrage und prüft nicht, ob es zur Anwendung gehört. Ein Link mit dem vertrauenswürdigen Namen der Anwendung führt dadurch auf beliebige andere Seiten.',
    ],
    impact: [
      'Angreifer können solche Links für Phishing nutzen: Der Link zeigt den Namen der Organisation, das Opfer landet jedoch auf einer Seite des Angreifers, zum Beispiel einer Kopie der Anmeldeseite. Ist die Weiterleitung Teil einer Anmeldung, können Zugriffstoken auf die fremde Seite gelangen.',
    ],
    reproduction: [
      '1. Öffnen Sie die betroffene Adresse in einem Browser und geben Sie als Wert des Parameters die Adresse einer anderen Seite an.',
      '2. Der Browser zeigt die andere Seite an.',
    ],
    recommendation: [
      '- Leiten Sie nur auf Pfade der Anwendung weiter. Zerlegen Sie den Wert mit der URL-Bibliothek der Programmiersprache und vergleichen Sie Schema, Host und Port mit denen der Anwendung.',
      '- Werden andere Seiten benötigt, verwenden Sie eine Liste erlaubter Ziele und übergeben Sie im Parameter einen Namen oder eine Nummer aus der Liste statt einer Adresse.',
      '- Registrieren Sie für OAuth-Clients vollständige Redirect-Adressen und vergleichen Sie diese exakt.',
    ],
  },
})
