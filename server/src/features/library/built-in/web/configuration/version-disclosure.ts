import { entry } from '../../entry.ts'

export const versionDisclosure = entry({
  key: 'version-disclosure',
  severity: 'info',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  cwe: ['CWE-200'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-INFO-02', 'WSTG-INFO-08'],
  attack: ['T1592.002'],
  tags: ['web', 'headers', 'information'],
  rules: { nuclei: ['apache-detect'], nessus: [10107], zap: ['10036', '10037', '10061'] },
  references: [
    'https://httpd.apache.org/docs/current/mod/core.html#servertokens',
    'https://nginx.org/en/docs/http/ngx_http_core_module.html#server_tokens',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  guidance: [
    '- Report versions, not product names: "nginx" without a version is not a finding.',
    '- Distributions fix vulnerabilities without changing the version that is shown. Do not conclude from a banner that a system is vulnerable.',
    '- If the version really is out of support or vulnerable, use the entries for unsupported software or missing updates instead.',
  ],
  en: {
    title: 'Software version is disclosed',
    summary: 'The server shows which software and version it uses.',
    description: [
      'Response headers or pages of the server contain names and versions of the software in use. The evidence lists them.',
    ],
    impact: [
      'The information itself is not a vulnerability. It helps attackers look up known vulnerabilities of this version, and select targets when a new one is published.',
    ],
    reproduction: [
      '1. Request a page of the server, for example with `curl -sI https://HOST/`.',
      '2. The response contains the details from the evidence.',
    ],
    recommendation: [
      '- Reduce the details: `ServerTokens Prod` and `ServerSignature Off` (Apache), `server_tokens off` (nginx), `expose_php = Off` (PHP). Remove headers such as `X-Powered-By` and `X-AspNet-Version`.',
      '- Install updates promptly: this matters more than hiding versions.',
    ],
  },
  de: {
    title: 'Version der Software wird offengelegt',
    summary: 'Der Server zeigt an, welche Software er in welcher Version einsetzt.',
    description: [
      'Antwort-Header oder Seiten des Servers enthalten Namen und Versionen der eingesetzten Software. Der Nachweis führt sie auf.',
    ],
    impact: [
      'Die Information ist für sich genommen keine Schwachstelle. Sie erleichtert es Angreifern, nach bekannten Schwachstellen dieser Version zu suchen und bei einer neu veröffentlichten Schwachstelle passende Systeme auszuwählen.',
    ],
    reproduction: [
      '1. Rufen Sie eine Seite des Servers ab, zum Beispiel mit `curl -sI https://HOST/`.',
      '2. Die Antwort enthält die Angaben aus dem Nachweis.',
    ],
    recommendation: [
      '- Reduzieren Sie die Angaben: `ServerTokens Prod` und `ServerSignature Off` (Apache), `server_tokens off` (nginx), `expose_php = Off` (PHP). Entfernen Sie Header wie `X-Powered-By` und `X-AspNet-Version`.',
      '- Wichtiger als das Verbergen von Versionen ist das zeitnahe Einspielen von Updates.',
    ],
  },
})
