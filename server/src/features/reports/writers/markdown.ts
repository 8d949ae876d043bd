import type {
  BlockValue,
  DataFindingValue,
  InlineValue,
  ReportDataValue,
} from '@sortie/contract/reports/report-data.ts'
import type { ReportDocument } from '../../report-templates/report-document.ts'

/** A file of a report in Markdown, with its path in the archive. */
export interface MarkdownFile {
  path: string
  bytes: Uint8Array
}

const ENDINGS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
} as const

/** A report as Markdown (GFM), with its images as files next to it. Text that people wrote stays text. */
export const writeMarkdown = ({ data, images }: ReportDocument): MarkdownFile[] => {
  const paths = new Map(
    Object.entries(data.images).map(([key, { mediaType }]) => [key, `images/${key}.${ENDINGS[mediaType]}`]),
  )
  const writer: Writer = { data, paths, label: (key) => data.labels[key] ?? key }
  const text = [
    `# ${escape(data.design.cover.title)}`,
    ...(data.watermark === null ? [] : [`**${escape(data.watermark)}**`]),
    factsOf(writer),
    ...data.sections.flatMap(({ number, title, blocks }) => [
      ...(title === '' ? [] : [`## ${escape(`${number} ${title}`.trim())}`]),
      ...blocks.flatMap((block) => blockOf(writer, block)),
    ]),
  ].join('\n\n')
  return [
    { path: 'report.md', bytes: new TextEncoder().encode(`${text}\n`) },
    ...[...images].flatMap(([key, bytes]) => {
      const path = paths.get(key)
      return path === undefined ? [] : [{ path, bytes }]
    }),
  ]
}

interface Writer {
  data: ReportDataValue
  paths: ReadonlyMap<string, string>
  label: (key: string) => string
}

/** Characters that begin Markdown anywhere in a line. */
const SPECIAL = new Set('\\`*_[]<>|~!#{}$&')

/** Text of one line in which nothing is Markdown. */
const escape = (text: string): string => {
  const line = text.replaceAll('\n', ' ')
  const escaped = [...line].map((character) => (SPECIAL.has(character) ? `\\${character}` : character)).join('')
  // Lists, numbered ones included, begin a line.
  return /^(?:[-+]|\d{1,9}[.)])(?:\s|$)/.test(escaped) ? escapeStart(escaped) : escaped
}

const escapeStart = (line: string): string => {
  const at = line.search(/[-+.)]/)
  return `${line.slice(0, at)}\\${line.slice(at)}`
}

const factsOf = ({ data, label }: Writer): string => {
  const { report, client, engagement, organization, design } = data
  const facts = [
    [label('client'), client.name],
    [label('engagement'), engagement.name],
    [label('period'), engagement.period],
    [label('version'), report.version],
    [label('date'), report.dateText],
    [label('authors'), report.authors.join(', ')],
    [label('approvedBy'), report.approvedBy ?? ''],
    [label('classification'), design.classificationLabel],
  ].filter(([, value]) => value !== '')
  return [
    escape(organization.name),
    ...facts.map(([name = '', value = '']) => `- ${escape(name)}: ${escape(value)}`),
  ].join('\n\n')
}

const blockOf = (writer: Writer, block: BlockValue): string[] => {
  const { label, data } = writer
  const items = block.items ?? []
  switch (block.type) {
    case 'heading':
      return [`${'#'.repeat(Math.min(6, (block.level ?? 1) + 1))} ${lineOf(block.content)}`]
    case 'paragraph':
      return [lineOf(block.content)]
    case 'list':
      return [listOf(writer, block)]
    case 'table':
      return tableOf(writer, block)
    case 'figure': {
      const path = block.image ? writer.paths.get(block.image) : undefined
      const caption = `${label('figure')} ${block.number ?? ''}: ${lineOf(block.caption)}`
      return [...(path === undefined ? [] : [`![${escape(block.alt ?? '')}](${path})`]), `*${caption.trim()}*`]
    }
    case 'code':
      return [fenced(block.text ?? '', block.language)]
    case 'exchange':
      return [
        `**${escape(block.title ?? '')}**`,
        fenced(block.request ?? '', 'http'),
        ...(block.response ? [fenced(block.response, 'http')] : []),
      ]
    case 'callout':
      return [quoted([`[!${(block.kind ?? 'note').toUpperCase()}]`, ...blocksOf(writer, items[0])].join('\n\n'))]
    case 'quote':
      return [quoted(blocksOf(writer, items[0]).join('\n\n'))]
    case 'rule':
      return ['---']
    case 'footnotes':
      return items.map(
        (item, index) => `[^${(block.start ?? 1) + index}]: ${indented(blocksOf(writer, item).join('\n\n'))}`,
      )
    case 'severity_chart':
      return [data.severities.map(({ name, count }) => `- ${escape(name)}: ${count}`).join('\n')]
    case 'findings':
      return data.findings.flatMap((finding) => findingOf(writer, finding))
  }
}

const blocksOf = (writer: Writer, blocks: readonly BlockValue[] = []): string[] =>
  blocks.flatMap((block) => blockOf(writer, block))

const findingOf = (writer: Writer, finding: DataFindingValue): string[] => {
  const { label, data } = writer
  const severity = data.severities.find(({ key }) => key === finding.severity)?.name ?? finding.severity
  const score = finding.cvssScore === null ? '' : ` (CVSS ${finding.cvssScore.toFixed(1)}, ${finding.cvssVector ?? ''})`
  const titled = (key: string, blocks: readonly string[]) =>
    blocks.length === 0 ? [] : [`#### ${escape(label(key))}`, ...blocks]
  const parts = data.design.findingParts.flatMap((part) => {
    switch (part) {
      case 'facts':
        return [`- ${escape(label('severity'))}: ${escape(severity)}${escape(score)}`]
      case 'affected':
        return titled('affected', listed(finding.affected.map(({ asset }) => asset)))
      case 'references':
        return titled('references', listed(finding.references))
      case 'retest':
        return titled('retest', listed(finding.retest.map(({ asset, after }) => `${asset}: ${after}`)))
      default:
        return titled(part, blocksOf(writer, finding[part]))
    }
  })
  return [`### ${escape(`${finding.key} ${finding.title}`)}`, ...parts]
}

const listed = (lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [lines.map((line) => `- ${escape(line)}`).join('\n')]

const listOf = (writer: Writer, { items = [], ordered, start = 1, checked }: BlockValue): string =>
  items
    .map((item, index) => {
      const box = checked?.[index]
      const mark = ordered ? `${start + index}. ` : '- '
      const task = typeof box === 'boolean' ? `[${box ? 'x' : ' '}] ` : ''
      return mark + task + indented(blocksOf(writer, item).join('\n\n'))
    })
    .join('\n')

const tableOf = ({ label }: Writer, { columns = [], rows = [], caption, number }: BlockValue): string[] => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = { left: '---', center: ':-:', right: '--:' } as const
  const text = [
    line(columns.map(({ title }) => lineOf(title))),
    line(columns.map(({ align }) => rule[align])),
    ...rows.map((row) => line(row.map(lineOf))),
  ].join('\n')
  return number === undefined ? [text] : [text, `*${label('table')} ${number}: ${lineOf(caption)}*`]
}

/** A fence that is longer than any in the text. */
const fenced = (text: string, language = ''): string => {
  const runs = text.split(/[^`]/).map(({ length }) => length)
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)))
  const [word = ''] = /^[\w+-]*/.exec(language) ?? []
  return `${fence}${word}\n${text}\n${fence}`
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => (index === 0 || line === '' ? line : `  ${line}`))
    .join('\n')

const MARKS = { bold: '**', italic: '*', strike: '~~', code: '' } as const

const lineOf = (inlines: readonly InlineValue[] = []): string => inlines.map(inlineOf).join('')

const inlineOf = ({ type, text = '', marks = [], href, number, code }: InlineValue): string => {
  const isCode = marks.includes('code')
  const words = marks.reduce(
    (inner, mark) => `${MARKS[mark]}${inner}${MARKS[mark]}`,
    isCode ? codeOf(text) : escape(text),
  )
  if (type === 'link' && href !== undefined) return `[${words}](<${href.replaceAll(/[<>\n]/g, encodeURIComponent)}>)`
  if (type === 'footnote') return `[^${number ?? 1}]`
  if (type === 'break') return '<br>'
  if (type === 'mark') return escape(`[${code ?? text}]`)
  return words
}

const codeOf = (text: string): string => {
  const line = text.replaceAll('\n', ' ')
  const runs = line.split(/[^`]/).map(({ length }) => length)
  const fence = '`'.repeat(Math.max(1, ...runs.map((length) => length + 1)))
  return fence.length > 1 ? `${fence} ${line} ${fence}` : `${fence}${line.replaceAll('|', '\\|')}${fence}`
}
