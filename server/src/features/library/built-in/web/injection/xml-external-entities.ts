import { entry } from '../../entry.ts'

export const xmlExternalEntities = entry({
  key: 'xml-external-entities',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:L',
  cwe: ['CWE-611'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-INPV-07'],
  attack: ['T1190'],
  tags: ['web', 'api', 'injection', 'xml'],
  rules: { nuclei: ['generic-blind-xxe'], burp: [0x00100400], zap: ['90023'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
    'https://portswigger.net/web-security/xxe',
    'https://cwe.mitre.org/data/definitions/611.html',
  ],
  guidance: [
    '- Start with an internal entity (`<!ENTITY a "test">`): if it is not expanded, external ones will not be either.',
    '- Then use an external entity that points to a name you control, and a file with harmless content such as `/etc/hostname`.',
    '- Try formats that contain XML too: SVG, DOCX, XLSX, SAML, SOAP, and endpoints that accept JSON but also `Content-Type: application/xml`.',
    '- Never test entity expansion ("billion laughs") on production systems.',
  ],
  en: {
    title: 'XML external entities (XXE)',
    summary:
      'The XML parser of the application resolves external entities. Attackers can read files on the server and make it send requests.',
    description: [
      'The application processes XML with a parser that evaluates document type definitions. A document can define entities that refer to files or network addresses. The parser loads them and inserts the content into the document.',
    ],
    impact: [
      "Attackers can read files that the application's account can read, such as configuration files with passwords. They can make the server send requests to internal systems, and overload it with nested entities.",
    ],
    reproduction: [
      '1. Send the affected request with the XML document from the evidence. It defines an external entity and uses it in an element.',
      "2. The response contains the content of the file, or the tester's server receives the request of the parser.",
    ],
    recommendation: [
      '- Switch off document type definitions in the parser. This prevents external entities and entity expansion together. In Java, set the feature `http://apache.org/xml/features/disallow-doctype-decl` to `true`.',
      '- If definitions are required, switch off external general entities, external parameter entities and the loading of external definitions.',
      '- Check all parsers of the application, including those of libraries for office documents, SVG, SAML and SOAP, and update these libraries.',
      '- Block outgoing connections that the server does not need.',
    ],
  },
  de: {
    title: 'Externe XML-Entitäten (XXE)',
    summary:
      'Der XML-Parser der Anwendung löst externe Entitäten auf. Angreifer können Dateien des Servers lesen und ihn Anfragen senden lassen.',
    description: [
      'Die Anwendung verarbeitet XML mit einem Parser, der Dokumenttypdefinitionen auswertet. Ein Dokument kann darin Entitäten definieren, die auf Dateien oder Netzwerkadressen verweisen. Der Parser lädt sie und fügt den Inhalt in das Dokument ein.',
    ],
    impact: [
      'Angreifer können Dateien lesen, auf die das Konto der Anwendung zugreifen darf, zum Beispiel Konfigurationsdateien mit Passwörtern. Sie können den Server Anfragen an interne Systeme senden lassen und ihn mit verschachtelten Entitäten überlasten.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit dem XML-Dokument aus dem Nachweis. Es definiert eine externe Entität und verwendet sie in einem Element.',
      '2. Die Antwort enthält den Inhalt der Datei, oder der Server des Testers empfängt die Anfrage des Parsers.',
    ],
    recommendation: [
      '- Schalten Sie Dokumenttypdefinitionen im Parser ab. Das verhindert externe Entitäten und die Expansion von Entitäten zugleich. Setzen Sie in Java das Feature `http://apache.org/xml/features/disallow-doctype-decl` auf `true`.',
      '- Werden Definitionen benötigt, schalten Sie externe allgemeine Entitäten, externe Parameter-Entitäten und das Laden externer Definitionen ab.',
      '- Prüfen Sie alle Parser der Anwendung, auch die in Bibliotheken für Office-Dokumente, SVG, SAML und SOAP, und aktualisieren Sie diese Bibliotheken.',
      '- Sperren Sie ausgehende Verbindungen, die der Server nicht benötigt.',
    ],
  },
})
