import type {
  BlockValue,
  DataFindingValue,
  FindingPart,
  InlineValue,
  ReportDataValue,
} from '@sortie/contract/reports/report-data.ts'
import { escapeHtml } from '../../../platform/text/text.ts'
import type { ReportDocument } from '../../report-templates/report-document.ts'
import { styleOf } from './html-style.ts'

/** No script, nothing from elsewhere: the document contains its styles and images. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

type Data = ReportDataValue

interface Writer {
  data: Data
  label: (key: string) => string
  /** The image of a figure; empty without one. */
  image: (key: string | null | undefined, alt: string) => string
}

/**
 * A report as one HTML document. Every text is data: nothing that people write becomes markup.
 *
 * @param pictures for a preview: pictures with their hashes, or hashes only
 */
export async function* writeHtml(
  { data, images }: ReportDocument,
  pictures?: 'named' | 'omitted',
): AsyncGenerator<string> {
  const writer: Writer = {
    data,
    label: (key) => escapeHtml(data.labels[key] ?? key),
    image: (key, alt) => {
      const value = key ? data.images[key] : undefined
      const bytes = key ? images.get(key) : undefined
      if (!value || !bytes) return ''
      const name = pictures ? ` data-picture="${escapeHtml(value.sha256)}"` : ''
      const source = pictures === 'omitted' ? '' : ` src="${dataAddress(value.mediaType, bytes)}"`
      return `<img${name}${source} width="${value.width}" height="${value.height}" alt="${escapeHtml(alt)}">`
    },
  }
  yield `<!doctype html>
<html lang="${escapeHtml(data.language)}" dir="${data.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(data.report.title)}</title>
<style>${styleOf(data)}</style>
</head>
<body>
`
  if (data.watermark !== null) yield `<div class="watermark" aria-hidden="true">${escapeHtml(data.watermark)}</div>\n`
  yield coverOf(writer)
  if (data.design.tableOfContents) yield contentsOf(writer)
  yield '<main>\n'
  for (const section of data.sections) {
    yield `<section id="${escapeHtml(section.anchor)}">\n`
    if (section.title !== '') yield `<h2>${numbered(section.number, section.title)}</h2>\n`
    for (const block of section.blocks) {
      if (block.type === 'findings') yield* findingsOf(writer)
      else yield blockOf(writer, block)
    }
    yield '</section>\n'
  }
  yield `</main>
<footer>${[data.design.footer, data.design.classificationLabel]
    .filter((text) => text !== '')
    .map(escapeHtml)
    .join(' · ')}</footer>
</body>
</html>
`
}

const dataAddress = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`

const numbered = (number: string, title: string): string =>
  number === '' ? escapeHtml(title) : `<span class="number">${escapeHtml(number)}</span> ${escapeHtml(title)}`

const coverOf = ({ data, label, image }: Writer): string => {
  const { report, client, organization, design, engagement } = data
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
  return `<header class="cover">
${image(design.logo, organization.name)}
<p class="organization">${escapeHtml(organization.name)}</p>
<h1>${escapeHtml(design.cover.title)}</h1>
${design.cover.subtitle === '' ? '' : `<p class="subtitle">${escapeHtml(design.cover.subtitle)}</p>`}
<dl>${facts.map(([name, value = '']) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
${design.cover.note === '' ? '' : `<p class="cover-note">${escapeHtml(design.cover.note)}</p>`}
</header>
`
}

const contentsOf = ({ data, label }: Writer): string => {
  const entries = data.sections
    .filter(({ title }) => title !== '')
    .map(({ anchor, number, title, blocks }) => {
      const hasFindings = blocks.some(({ type }) => type === 'findings')
      const own = hasFindings
        ? `<ol>${data.findings.map((one) => `<li>${linkTo(one.anchor, `${one.key} ${one.title}`)}</li>`).join('')}</ol>`
        : ''
      return `<li>${linkTo(anchor, `${number} ${title}`.trim())}${own}</li>`
    })
  return `<nav class="contents" aria-label="${label('contents')}"><h2>${label('contents')}</h2><ol>${entries.join('')}</ol></nav>\n`
}

const linkTo = (anchor: string, text: string): string => `<a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a>`

function* findingsOf(writer: Writer): Generator<string> {
  const { data } = writer
  let group = ''
  for (const finding of data.findings) {
    if (data.design.groupBySeverity && finding.severity !== group) {
      group = finding.severity
      yield `<h3 class="group">${severityName(data, finding)}</h3>\n`
    }
    yield findingOf(writer, finding)
  }
}

const severityName = ({ severities }: Data, { severity }: DataFindingValue): string =>
  escapeHtml(severities.find(({ key }) => key === severity)?.name ?? severity)

const badge = (data: Data, finding: DataFindingValue): string =>
  `<span class="badge ${finding.severity}">${severityName(data, finding)}</span>`

const findingOf = (writer: Writer, finding: DataFindingValue): string => {
  const { data } = writer
  const level = data.design.groupBySeverity ? 4 : 3
  const parts = data.design.findingParts.map((part) => partOf(writer, finding, part, level + 1)).join('')
  return `<article class="finding ${finding.severity}" id="${escapeHtml(finding.anchor)}">
<h${level}><span class="number">${escapeHtml(finding.key)}</span> ${escapeHtml(finding.title)} ${badge(data, finding)}</h${level}>
${parts}</article>
`
}

const partOf = (writer: Writer, finding: DataFindingValue, part: FindingPart, level: number): string => {
  const titled = (key: string, content: string) =>
    content === '' ? '' : `<h${level}>${writer.label(key)}</h${level}>\n${content}`
  switch (part) {
    case 'facts':
      return factsOf(writer, finding)
    case 'affected':
      return titled('affected', affectedOf(writer, finding))
    case 'references':
      return titled(
        'references',
        finding.references.length === 0
          ? ''
          : `<ul>${finding.references.map((line) => `<li>${addressOf(line)}</li>`).join('')}</ul>\n`,
      )
    case 'retest':
      return titled('retest', retestOf(writer, finding))
    default:
      return titled(part, blocksOf(writer, finding[part]))
  }
}

const STATUS: Readonly<Record<string, string>> = {
  open: 'statusOpen',
  partly_fixed: 'statusPartlyFixed',
  fixed: 'statusFixed',
  not_reproducible: 'statusNotReproducible',
  withdrawn: 'statusWithdrawn',
}
const CLIENT: Readonly<Record<string, string>> = {
  planned: 'clientPlanned',
  fixed: 'clientFixed',
  accepted: 'clientAccepted',
  rejected: 'clientRejected',
}
const VERDICT: Readonly<Record<string, string>> = {
  in: 'verdictIn',
  out: 'verdictOut',
  caution: 'verdictCaution',
  unknown: 'verdictUnknown',
}

const factsOf = ({ data, label }: Writer, finding: DataFindingValue): string => {
  const { clientStatus: client } = finding
  const score = finding.cvssScore === null ? '' : finding.cvssScore.toFixed(1)
  const ids = [...finding.cwe, ...finding.cve, ...finding.owasp, ...finding.wstg, ...finding.attack].map(escapeHtml)
  const facts = [
    [
      label('severity'),
      `${severityName(data, finding)}${finding.severityReason === '' ? '' : ` (${escapeHtml(finding.severityReason)})`}`,
    ],
    [label('cvss'), score === '' ? '' : `${score} <code>${escapeHtml(finding.cvssVector ?? '')}</code>`],
    [label('status'), label(STATUS[finding.status] ?? finding.status)],
    [
      label('clientStatus'),
      client ? [label(CLIENT[client.state] ?? client.state), escapeHtml(client.reason)].filter(Boolean).join(': ') : '',
    ],
    [label('identifiers'), ids.join(', ')],
    ...Object.entries(finding.fields).map(([key, value]) => [label(`field_${key}`), escapeHtml(value)]),
  ].filter(([, value]) => value !== '')
  return `<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>\n`
}

const affectedOf = ({ label }: Writer, { affected }: DataFindingValue): string => {
  if (affected.length === 0) return ''
  const rows = affected.map(
    ({ asset, verdict, status, note }) =>
      `<tr><td class="asset">${escapeHtml(asset)}</td><td>${label(STATUS[status] ?? status)}</td><td>${label(VERDICT[verdict] ?? verdict)}</td><td>${escapeHtml(note)}</td></tr>`,
  )
  return tableOf([label('asset'), label('status'), label('scopeOfAsset'), label('note')], rows)
}

const retestOf = ({ label }: Writer, { retest }: DataFindingValue): string => {
  if (retest.length === 0) return ''
  const rows = retest.map(
    ({ asset, before, after, testedOnText, note }) =>
      `<tr><td class="asset">${escapeHtml(asset)}</td><td>${label(STATUS[before] ?? before)}</td><td>${escapeHtml(after)}</td><td>${escapeHtml(testedOnText)}</td><td>${escapeHtml(note)}</td></tr>`,
  )
  return tableOf([label('asset'), label('before'), label('after'), label('testedOn'), label('note')], rows)
}

const tableOf = (head: readonly string[], rows: readonly string[]): string =>
  `<div class="wide"><table><thead><tr>${head.map((title) => `<th>${title}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`

const blocksOf = (writer: Writer, blocks: readonly BlockValue[]): string =>
  blocks.map((block) => blockOf(writer, block)).join('')

const idOf = ({ anchor }: BlockValue): string => (anchor === undefined ? '' : ` id="${escapeHtml(anchor)}"`)

const captionOf = ({ label }: Writer, block: BlockValue, key: 'figure' | 'table'): string => {
  const words = inlinesOf(block.caption ?? [])
  return block.number === undefined ? words : `<b>${label(key)} ${block.number}</b>${words === '' ? '' : `: ${words}`}`
}

const blockOf = (writer: Writer, block: BlockValue): string => {
  const { label } = writer
  const items = block.items ?? []
  switch (block.type) {
    case 'heading': {
      // Headings of the document begin with that of the report.
      const level = Math.min(6, (block.level ?? 1) + 1)
      return `<h${level}${idOf(block)}>${inlinesOf(block.content ?? [])}</h${level}>\n`
    }
    case 'paragraph':
      return `<p>${inlinesOf(block.content ?? [])}</p>\n`
    case 'list':
      return listOf(writer, block)
    case 'table':
      return dataTableOf(writer, block)
    case 'figure':
      return `<figure${idOf(block)}>${writer.image(block.image, block.alt ?? '')}<figcaption>${captionOf(writer, block, 'figure')}</figcaption></figure>\n`
    case 'code':
      return `<pre><code>${escapeHtml(block.text ?? '')}</code></pre>\n`
    case 'exchange': {
      const part = (name: string, text: string) =>
        text === '' ? '' : `<p class="part">${label(name)}</p><pre><code>${escapeHtml(text)}</code></pre>`
      return `<div class="exchange"><p class="exchange-title">${escapeHtml(block.title ?? '')}</p>${part('request', block.request ?? '')}${part('response', block.response ?? '')}</div>\n`
    }
    case 'callout': {
      const kind = block.kind ?? 'note'
      const name = `callout${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
      return `<aside class="callout ${kind}"><p class="callout-title">${label(name)}</p>${blocksOf(writer, items[0] ?? [])}</aside>\n`
    }
    case 'quote':
      return `<blockquote>${blocksOf(writer, items[0] ?? [])}</blockquote>\n`
    case 'rule':
      return '<hr>\n'
    case 'footnotes':
      return `<ol class="footnotes" start="${block.start ?? 1}">${items.map((item, index) => `<li id="footnote-${(block.start ?? 1) + index}">${blocksOf(writer, item)}</li>`).join('')}</ol>\n`
    case 'severity_chart':
      return chartOf(writer)
    case 'findings':
      return [...findingsOf(writer)].join('')
  }
}

const listOf = (writer: Writer, { items = [], ordered, start, checked }: BlockValue): string => {
  const tag = ordered ? 'ol' : 'ul'
  const entries = items.map((item, index) => {
    const box = checked?.[index]
    const mark = typeof box === 'boolean' ? `<span class="box">${box ? '☑' : '☐'}</span> ` : ''
    const [only] = item
    const isPlain = item.length === 1 && only?.type === 'paragraph'
    return `<li>${mark}${isPlain ? inlinesOf(only.content ?? []) : blocksOf(writer, item)}</li>`
  })
  return `<${tag}${checked ? ' class="tasks"' : ''}${start === undefined ? '' : ` start="${start}"`}>${entries.join('')}</${tag}>\n`
}

const dataTableOf = (writer: Writer, block: BlockValue): string => {
  const { columns = [], rows = [] } = block
  const cell = (tag: 'td' | 'th', content: readonly InlineValue[], index: number) =>
    `<${tag} class="${columns[index]?.align ?? 'left'}">${inlinesOf(content)}</${tag}>`
  const hasHead = columns.some(({ title }) => title.length > 0)
  const head = hasHead
    ? `<thead><tr>${columns.map(({ title }, index) => cell('th', title, index)).join('')}</tr></thead>`
    : ''
  const body = rows.map((row) => `<tr>${row.map((content, index) => cell('td', content, index)).join('')}</tr>`)
  const caption =
    block.caption || block.number !== undefined ? `<caption>${captionOf(writer, block, 'table')}</caption>` : ''
  return `<div class="wide"><table${idOf(block)}>${caption}${head}<tbody>${body.join('')}</tbody></table></div>\n`
}

/** Bars whose lengths are proportional to the counts. */
const chartOf = ({ data, label }: Writer): string => {
  const most = Math.max(1, ...data.severities.map(({ count }) => count))
  const bars = data.severities.map(
    ({ key, name, count }) =>
      `<div class="bar"><span class="bar-name">${escapeHtml(name)}</span><span class="bar-track"><span class="bar-fill ${key}" style="width:${Math.round((count / most) * 100)}%"></span></span><span class="bar-count">${count}</span></div>`,
  )
  return `<div class="chart" role="img" aria-label="${label('findingsBySeverity')}">${bars.join('')}</div>\n`
}

const inlinesOf = (inlines: readonly InlineValue[]): string => inlines.map(inlineOf).join('')

const TAGS = { bold: 'strong', italic: 'em', strike: 'del', code: 'code' } as const

const inlineOf = ({ type, text = '', marks = [], href, target, number, code }: InlineValue): string => {
  const words = marks.reduce((inner, mark) => `<${TAGS[mark]}>${inner}</${TAGS[mark]}>`, escapeHtml(text))
  switch (type) {
    case 'text':
      return words
    case 'link':
      return isAddress(href) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${words}</a>` : words
    case 'reference':
      return target === undefined ? words : `<a href="#${escapeHtml(target)}">${words}</a>`
    case 'footnote':
      return `<sup><a href="#footnote-${number ?? 1}">${number ?? 1}</a></sup>`
    case 'break':
      return '<br>'
    case 'mark':
      return `<span class="unshown">${escapeHtml(code ?? text)}</span>`
  }
}

const isAddress = (href: string | undefined): href is string =>
  href !== undefined && /^(?:https?:\/\/|mailto:)/i.test(href)

/** A reference of a finding: a link if it is an address and nothing else. */
const addressOf = (line: string): string =>
  isAddress(line) && !line.includes(' ')
    ? `<a href="${escapeHtml(line)}" rel="noopener noreferrer nofollow">${escapeHtml(line)}</a>`
    : escapeHtml(line)
