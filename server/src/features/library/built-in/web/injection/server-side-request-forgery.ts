import { entry } from '../../entry.ts'

export const serverSideRequestForgery = entry({
  key: 'server-side-request-forgery',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:N',
  cwe: ['CWE-918'],
  owasp: ['A10:2021', 'A01:2025', 'API7:2023'],
  wstg: ['WSTG-INPV-19'],
  attack: ['T1190'],
  tags: ['web', 'api', 'injection'],
  rules: {
    nuclei: ['blind-ssrf', 'response-ssrf', 'xmlrpc-pingback-ssrf'],
    burp: [0x00100a00, 0x00300210],
    zap: ['40046', '90034'],
  },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa7-server-side-request-forgery/',
    'https://portswigger.net/web-security/ssrf',
    'https://cwe.mitre.org/data/definitions/918.html',
  ],
  guidance: [
    "- Check the source address of the incoming request: it must belong to the application's servers, not to your own browser, a mail scanner or a link preview.",
    '- A DNS query that no HTTP request follows often means filtered outgoing traffic, or a tool that only resolves names. Report it with a lower severity.',
    "- Show what is reachable with one harmless internal address that was agreed. Metadata services return credentials: do not use them without the client's consent.",
    '- If the response is not visible, status, timing and length can still distinguish open from closed ports.',
  ],
  en: {
    title: 'Server-side request forgery (SSRF)',
    summary:
      'The application fetches addresses that users choose. Attackers can use the server to reach systems that are not accessible from outside.',
    description: [
      'The application requests an address from its input and does not sufficiently limit the destinations. The request comes from the server and therefore reaches systems behind the firewall, services on the server itself, and the metadata service of a cloud provider.',
    ],
    impact: [
      'Attackers can find and read internal services that trust requests from the network. In cloud environments, the metadata service can return credentials of the server, which give attackers access to further resources.',
    ],
    reproduction: [
      '1. Send the affected request with the address of a server that you control as the value.',
      '2. Your server receives a request from an address of the application.',
      '3. Repeat it with an agreed internal address. The response shows that the server can reach it.',
    ],
    recommendation: [
      '- If the destinations are known, accept only entries of a fixed list, and let users choose a name instead of an address.',
      '- Otherwise resolve the name once, reject private, local and reserved addresses (IPv4 and IPv6), connect to exactly the checked address, and repeat the check for every redirect.',
      '- Allow only `https` and the ports that are needed.',
      '- Block connections from the application to internal networks and to the metadata service at the network level, for example with an outgoing proxy.',
      '- In cloud environments, require the protected version of the metadata service (such as IMDSv2 in AWS).',
    ],
  },
  de: {
    title: 'Server-Side Request Forgery (SSRF)',
    summary:
      'Die Anwendung ruft Adressen ab, die Benutzer vorgeben. Angreifer können über den Server Systeme erreichen, die von außen nicht zugänglich sind.',
    description: [
      'Die Anwendung ruft eine aus der Eingabe übernommene Adresse ab und schränkt die Ziele nicht ausreichend ein. Da die Anfrage vom Server ausgeht, erreicht sie Systeme hinter der Firewall, Dienste auf dem Server selbst und den Metadatendienst eines Cloud-Anbieters.',
    ],
    impact: [
      'Angreifer können interne Dienste finden und auslesen, die Anfragen aus dem Netzwerk vertrauen. In Cloud-Umgebungen kann der Metadatendienst Zugangsdaten des Servers liefern, mit denen Angreifer auf weitere Ressourcen zugreifen.',
    ],
    reproduction: [
      '1. Senden Sie die betroffene Anfrage mit der Adresse eines von Ihnen kontrollierten Servers als Wert.',
      '2. Ihr Server empfängt eine Anfrage von einer Adresse der Anwendung.',
      '3. Wiederholen Sie dies mit einer vereinbarten internen Adresse. Die Antwort zeigt, dass der Server sie erreichen kann.',
    ],
    recommendation: [
      '- Sind die Ziele bekannt, akzeptieren Sie nur Einträge einer festen Liste und lassen Sie Benutzer einen Namen statt einer Adresse wählen.',
      '- Lösen Sie andernfalls den Namen einmal auf, weisen Sie private, lokale und reservierte Adressen (IPv4 und IPv6) ab, verbinden Sie sich mit genau der geprüften Adresse und wiederholen Sie die Prüfung bei jeder Weiterleitung.',
      '- Erlauben Sie nur `https` und die benötigten Ports.',
      '- Sperren Sie Verbindungen der Anwendung zu internen Netzen und zum Metadatendienst auf Netzwerkebene, zum Beispiel mit einem Proxy für ausgehende Verbindungen.',
      '- Erzwingen Sie in Cloud-Umgebungen die geschützte Version des Metadatendienstes (bei AWS IMDSv2).',
    ],
  },
})
