import { createHash } from 'node:crypto'
import { deflateSync, crc32 } from 'node:zlib'
import type {
  BlockValue,
  DataFindingValue,
  InlineValue,
  LiveType,
  ReportDataValue,
} from '@sortie/contract/reports/report-data.ts'
import { LIVE_TYPES } from '@sortie/contract/reports/report-data.ts'
import type { ReportDocument } from '../report-document.ts'

const MANY = 300
const COLUMNS = 60
/** Titles that are syntax of a template, a field, a script or a format. */
const SYNTAX = [
  '{#findings}{title}{/findings}',
  '{@description}',
  '{{client.name}}',
  '#import "secrets.typ": *',
  '#read("/etc/passwd")',
  '#{ panic("x") } $ x^2 $ *bold* _italic_ @label <label>',
  '</w:t></w:r><w:r><w:t>&amp; & < > " \'',
  '=CMD|" /C calc"!A0 { DDEAUTO c:\\windows\\system32\\cmd.exe }',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '{ unclosed } closed } }{ \\ % $HOME `id` ${7*7}',
]
const SCRIPTS = [
  '認証の不備により顧客データが閲覧可能です。',
  '认证缺陷导致客户数据泄露。',
  '고객 데이터가 노출됩니다.',
  'يمكن للمهاجم قراءة بيانات العملاء عبر API دون تسجيل الدخول.',
  'תוקף יכול לקרוא נתוני לקוחות ללא הזדהות.',
  'ग्राहक डेटा बिना प्रमाणीकरण के पढ़ा जा सकता है।',
  'Ελληνικά, Кириллица, Tiếng Việt, e\u0301 👩‍💻 ﷽',
]

const text = (words: string, ...marks: NonNullable<InlineValue['marks']>): InlineValue => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 && { marks }),
})
const paragraph = (...content: (string | InlineValue)[]): BlockValue => ({
  type: 'paragraph',
  content: content.map((each) => (typeof each === 'string' ? text(each) : each)),
})
const column = (title: string) => ({ align: 'left' as const, title: [text(title)] })

/** Every kind of block, once. */
const everyBlock = (anchor: string): BlockValue[] => [
  { type: 'heading', level: 4, content: [text('A heading within a text')], anchor: `${anchor}-heading` },
  paragraph('Plain, ', text('bold', 'bold'), ', ', text('italic', 'italic'), ', ', text('code()', 'code'), ', ', {
    type: 'link',
    text: 'a link',
    href: 'https://example.com/?a=b&c=d',
  }),
  paragraph('See ', { type: 'reference', text: 'Figure 1', target: `${anchor}-figure` }, ' and a note', {
    type: 'footnote',
    number: 1,
  }),
  {
    type: 'list',
    ordered: true,
    start: 3,
    items: [[paragraph('Third')], [paragraph('Fourth'), { type: 'list', items: [[paragraph('Nested')]] }]],
  },
  { type: 'list', items: [[paragraph('Done')], [paragraph('Open')]], checked: [true, false] },
  {
    type: 'figure',
    anchor: `${anchor}-figure`,
    number: 1,
    image: 'large',
    alt: 'A large picture',
    caption: [text('20 megapixels')],
  },
  { type: 'figure', number: 2, image: 'broken', alt: 'A file that is not a picture', caption: [text('Not a picture')] },
  { type: 'figure', number: 3, image: null, alt: 'A missing file', caption: [] },
  {
    type: 'table',
    number: 1,
    caption: [text('A small table')],
    columns: [column('Name'), { align: 'right', title: [text('Count')] }],
    rows: [[[text('a')], [text('1')]], [[text('b')]]],
  },
  { type: 'code', language: 'sh', text: `curl https://example.com\n\tindented\n${'x'.repeat(400)}` },
  {
    type: 'exchange',
    title: 'Search',
    request: 'GET / HTTP/1.1\r\nHost: example.com',
    response: 'HTTP/1.1 200 OK\r\n\r\n{}',
  },
  { type: 'callout', kind: 'warning', items: [[paragraph('A warning')]] },
  { type: 'quote', items: [[paragraph('A quote')]] },
  { type: 'rule' },
  { type: 'footnotes', items: [[paragraph('The note')]] },
]

const wideTable = (): BlockValue => ({
  type: 'table',
  number: 2,
  caption: [text('Sixty columns')],
  columns: Array.from({ length: COLUMNS }, (_, index) => column(`Column ${index + 1}`)),
  rows: Array.from({ length: 3 }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, index) => [text(`${row + 1}.${index + 1}`)]),
  ),
})

const SEVERITY_KEYS = ['critical', 'high', 'medium', 'low', 'info'] as const

const findingAt = (index: number): DataFindingValue => {
  const number = index + 1
  const title = SYNTAX[index % SYNTAX.length] ?? ''
  const words = SCRIPTS[index % SCRIPTS.length] ?? ''
  const anchor = `finding-${number}`
  return {
    id: `fnd_${String(number).padStart(26, '0')}`,
    anchor,
    number,
    key: `CHK-F${number}`,
    title,
    severity: SEVERITY_KEYS[index % SEVERITY_KEYS.length] ?? 'info',
    severityReason: 'The system is reachable from the internet.',
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    cvssScore: 9.8,
    state: 'approved',
    status: 'open',
    verification: 'human_verified',
    clientStatus: {
      state: 'planned',
      until: '2027-01-31',
      untilText: '31 January 2027',
      reason: 'With the next release.',
    },
    cwe: ['CWE-89'],
    cve: ['CVE-2026-0001'],
    owasp: ['A03:2021'],
    wstg: ['WSTG-INPV-05'],
    attack: ['T1190'],
    tags: ['web'],
    references: ['https://example.com/advisory'],
    fields: { owner: 'Team Web' },
    summary: [paragraph(words)],
    description: index === 0 ? [...everyBlock(anchor), wideTable()] : [paragraph(title), paragraph(words)],
    impact: [paragraph(words)],
    reproduction: [{ type: 'code', text: title }],
    recommendation: [paragraph('Use prepared statements.')],
    evidence: index === 0 ? [{ type: 'figure', image: 'large', alt: 'evidence', number: 4, caption: [] }] : [],
    affected: [
      {
        id: `aff_${String(number).padStart(26, '0')}`,
        asset: `https://host-${number}.example.com/${'path/'.repeat(20)}`,
        verdict: 'in',
        status: 'open',
        note: words,
      },
    ],
    retest: [
      {
        asset: 'https://example.com',
        before: 'open',
        after: 'Fixed',
        note: 'Checked.',
        testedOn: '2026-11-27',
        testedOnText: '27 November 2026',
      },
    ],
  }
}

/** A PNG of one color: its size in pixels is what is difficult. */
const largePicture = (width: number, height: number): Uint8Array => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(content), 4)
    return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit for each pixel, gray.
  header[8] = 1
  const row = Math.ceil(width / 8) + 1
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row * height), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const [WIDTH, HEIGHT] = [5_000, 4_000]
const NAMES = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low', info: 'Info' } as const
const COLORS = { critical: '#8c1d18', high: '#c8511b', medium: '#d9a21b', low: '#3c7d3f', info: '#5b6472' } as const

const liveBlocks = (live: LiveType, findings: readonly DataFindingValue[]): BlockValue[] => {
  if (live === 'findings') return findings.length > 0 ? [{ type: 'findings' }] : [paragraph('There are no findings.')]
  if (live === 'severity_summary') return [{ type: 'severity_chart' }]
  if (live !== 'findings_table') return [paragraph('Nothing was recorded.')]
  const rows = findings.map(({ key, title, severity, anchor }): InlineValue[][] => [
    [{ type: 'reference', text: key, target: anchor }],
    [text(title)],
    [text(NAMES[severity])],
  ])
  return [{ type: 'table', columns: ['No.', 'Title', 'Severity'].map(column), rows }]
}

const PERSON = { name: 'Ada Lovelace', role: 'Lead', email: 'ada@example.com', phone: '+49 30 1234567' }

/** Report-data in which every field has a value, with this many findings. */
const reportWith = (count: number, design: Partial<ReportDataValue['design']>): ReportDataValue => {
  const findings = Array.from({ length: count }, (_, index) => findingAt(index))
  const large = largePicture(WIDTH, HEIGHT)
  const imageOf = (bytes: Uint8Array) => ({
    mediaType: 'image/png' as const,
    width: WIDTH,
    height: HEIGHT,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  const sections = [
    {
      key: 'management_summary',
      live: null,
      blocks: [paragraph(SYNTAX[2] ?? ''), ...SCRIPTS.map((words) => paragraph(words))],
    },
    ...LIVE_TYPES.map((live) => ({ key: live, live, blocks: liveBlocks(live, findings) })),
  ]
  return {
    version: 1,
    language: 'en',
    direction: 'ltr',
    watermark: 'Draft',
    report: {
      id: 'rpt_00000000000000000000000000',
      title: SYNTAX[0] ?? '',
      kind: 'final',
      state: 'draft',
      version: '1',
      date: '2026-11-27',
      dateText: '27 November 2026',
      authors: ['Ada Lovelace', 'Grace Hopper'],
      approvedBy: 'Alan Turing',
    },
    organization: { name: 'Example Security' },
    client: { name: SYNTAX[6] ?? '', shortName: 'Contoso', domains: ['contoso.example'] },
    engagement: {
      id: 'eng_00000000000000000000000000',
      name: 'Contoso shop',
      kinds: ['web'],
      startsOn: '2026-11-02',
      endsOn: '2026-11-13',
      period: '2 to 13 November 2026',
      fields: { project: 'P-2026-11' },
    },
    team: [PERSON],
    contacts: [{ ...PERSON, name: 'Carla Client' }],
    design: {
      paper: 'a4',
      accent: '#1f4fd8',
      logo: 'large',
      fonts: { body: 'Inter', heading: 'Inter', code: 'JetBrains Mono' },
      header: SYNTAX[1] ?? '',
      footer: SYNTAX[4] ?? '',
      cover: { title: '', subtitle: SYNTAX[3] ?? '', note: SYNTAX[5] ?? '' },
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
      ...design,
    },
    labels: {},
    severities: SEVERITY_KEYS.map((key) => ({
      key,
      name: NAMES[key],
      color: COLORS[key],
      count: findings.filter(({ severity }) => severity === key).length,
    })),
    findings,
    sections: sections.map(({ key, live, blocks }, index) => ({
      id: `sec_${String(index).padStart(26, '0')}`,
      anchor: `section-${index + 1}`,
      key,
      title: index === 0 ? (SYNTAX[7] ?? '') : key,
      number: String(index + 1),
      kind: live === null ? 'text' : 'live',
      live,
      blocks,
    })),
    images: { large: imageOf(large), broken: imageOf(NO_PICTURE) },
  }
}

const NO_PICTURE = Buffer.from('This is a text with the name of a picture.')

export interface DifficultReport {
  name: string
  document: ReportDocument
}

/** Reports that show what a template does with unusual content: without findings, and with far too many. */
export const difficultReports = (design: Partial<ReportDataValue['design']> = {}): DifficultReport[] => {
  const images = new Map<string, Uint8Array>([
    ['large', largePicture(WIDTH, HEIGHT)],
    ['broken', NO_PICTURE],
  ])
  return [
    { name: 'a report without findings', document: { data: reportWith(0, design), images } },
    { name: 'a report with 300 findings', document: { data: reportWith(MANY, design), images } },
  ]
}

/** A report with one finding, in which every field has a value: tags are compared with it. */
export const completeReport = (): ReportDataValue => reportWith(1, {})
