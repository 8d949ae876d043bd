import type {
  BlockValue,
  DataFindingValue,
  DataSectionValue,
  ReportDataValue,
} from '@sortie/contract/reports/report-data.ts'
import { REPORT_DATA_VERSION } from '@sortie/contract/reports/report-data.ts'
import { severityOf } from '../../../../platform/lists/severities.ts'
import type { ReportDocument, WriterProblem } from '../../../report-templates/report-document.ts'
import { wordsOf, type Words } from '../../labels/dates.ts'
import { directionOf, KIND_LABELS, labelsFor, type Labels } from '../../labels/labels.ts'
import { anchorOf, composeFindings, fieldText, inOrder, keyOf } from '../compose-findings.ts'
import { createComposer, type Composer, type Note, type Place } from '../composer.ts'
import { DEFAULT_DESIGN, designOf, severitiesOf } from '../design.ts'
import { imageOf, type ReadImage } from '../images/image-of.ts'
import { liveBlocks } from '../live/live-blocks.ts'
import { composeText } from '../markdown/compose-text.ts'
import { contactsOf, type Person, teamOf } from '../people.ts'
import { findingCounts, placeholderOf } from '../placeholders.ts'
import type { ReportSource } from '../read-source.ts'

export interface BuildOptions {
  /** Number of the edition that is made; without one, the report is a draft of the next edition. */
  edition?: number
  /** Day of the edition, YYYY-MM-DD; without one, the day of the last change. */
  date?: string
  /** Name in place of that of who approved the report: digests do not depend on it. */
  approvedBy?: string
}

export interface BuiltReport {
  document: ReportDocument
  /** What could not be shown as it was written. */
  problems: WriterProblem[]
}

/** What composing noticed in addition, for checks. */
export interface Composed extends BuiltReport {
  notes: readonly Note[]
}

export interface ComposedReport extends Composed {
  source: ReportSource
}

/** A report from everything that it shows. */
export const compose = (source: ReportSource, { edition, date, approvedBy }: BuildOptions): Composed => {
  const { report, frame, template, settings } = source
  const labels = labelsFor(report.language, template.settings.labels)
  const words = wordsOf(report.language)
  const findings = inOrder(source.findings, template.settings.findingOrder ?? DEFAULT_DESIGN.findingOrder)
  const day = date ?? report.updated_at.slice(0, 10)
  const version = String(edition ?? (report.latest_edition ?? 0) + 1)
  const outline = outlineOf(source, labels)
  const fields = fieldsOf(source, labels, words)
  const placeholder = placeholderOf(
    {
      'organization.name': frame.organization_name,
      'client.name': frame.client_name ?? '',
      'client.shortName': frame.client_short_name || (frame.client_name ?? ''),
      'engagement.name': frame.name,
      'engagement.startsOn': words.day(frame.starts_on),
      'engagement.endsOn': words.day(frame.ends_on),
      'engagement.period': words.period(frame.starts_on, frame.ends_on),
      'report.title': report.title,
      'report.kind': labels[KIND_LABELS[report.kind]],
      'report.version': version,
      'report.date': words.day(day),
      'report.authors': report.authors.map(({ name }) => name).join(', '),
      'report.approvedBy': approvedBy ?? report.approver_name ?? '',
      ...findingCounts(
        findings.map(({ severity, status }) => ({ severity: severityOf(severity), status })),
        words.number,
      ),
    },
    fields,
  )
  const composer = createComposer(labels, {
    files: new Map(
      [...source.files.values()].map((file) => [
        file.id,
        {
          id: file.id,
          fileName: file.file_name,
          caption: file.caption,
          isPicture: file.media_type.startsWith('image/'),
        },
      ]),
    ),
    redactions: source.redactions,
    exchanges: source.exchanges,
    findings: new Map(
      findings.map((finding) => [
        finding.id,
        { anchor: anchorOf(finding), text: `${keyOf(finding, frame.task_prefix)} ${finding.title}` },
      ]),
    ),
    sections: new Map(outline.map(({ id, anchor, reference }) => [id, { anchor, text: reference }])),
    titles: source.titles,
    images: new Set(source.images.keys()),
    unreadable: source.unreadable,
    placeholder,
  })
  const here: Place = { type: 'report', id: report.id, section: null }
  const plain = (text: string) => composer.plain(text, here)
  const plainPerson = ({ name, role, email, phone }: Person): Person => ({
    name: plain(name),
    role: plain(role),
    email: plain(email),
    phone: plain(phone),
  })
  const logo = logoOf(source, composer, here)
  const design = designOf(template.settings, placeholder, logo ? LOGO : null)
  const counts = Map.groupBy(findings, ({ severity }) => severityOf(severity))
  const severities = severitiesOf(template.settings, settings, labels, (key) => counts.get(key)?.length ?? 0)
  const composeAll = (): DataFindingValue[] =>
    composeFindings(findings, {
      source,
      composer,
      words,
      parts: design.findingParts,
      level: design.groupBySeverity ? 4 : 3,
    })
  let written: DataFindingValue[] | undefined
  const sections: DataSectionValue[] = source.sections.map((section, index) => {
    const place: Place = { type: 'section', id: section.id, section: null }
    const { anchor, number } = outline[index] as OutlineEntry
    let blocks: BlockValue[] = []
    if (section.live_type === null)
      blocks = composeText(composer, section.body, { place, level: 1, hasPlaceholders: true })
    // The first section of findings contains them: their figures are counted from there.
    else if (section.live_type === 'findings') {
      written ??= composeAll()
      blocks = written.length > 0 ? [{ type: 'findings' }] : [paragraph(labels.noFindings)]
    } else blocks = liveBlocks(section.live_type, { source, composer, words, place, findings, severities, section })
    return {
      id: section.id,
      anchor,
      key: section.key,
      title: composer.plain(section.title, place),
      number,
      kind: section.live_type === null ? 'text' : 'live',
      live: section.live_type,
      blocks,
    }
  })
  written ??= composeAll()
  composer.finish()
  const images = imagesIn([...sections.flatMap(({ blocks }) => blocks), ...written.flatMap(blocksOfFinding)], source)
  if (logo) images.set(LOGO, logo)
  const data: ReportDataValue = {
    version: REPORT_DATA_VERSION,
    language: report.language,
    direction: directionOf(report.language),
    watermark: edition === undefined ? labels.draft : null,
    report: {
      id: report.id,
      title: plain(report.title),
      kind: report.kind,
      state: report.state,
      version,
      date: day,
      dateText: words.day(day),
      authors: report.authors.map(({ name }) => plain(name)),
      approvedBy: report.approver_name === null ? null : plain(report.approver_name),
    },
    organization: { name: plain(frame.organization_name) },
    client: {
      name: plain(frame.client_name ?? ''),
      shortName: plain(frame.client_short_name || (frame.client_name ?? '')),
      domains: frame.client_domains ?? [],
    },
    engagement: {
      id: frame.id,
      name: plain(frame.name),
      kinds: frame.kinds,
      startsOn: frame.starts_on,
      endsOn: frame.ends_on,
      period: words.period(frame.starts_on, frame.ends_on),
      fields: fields.engagement,
    },
    team: teamOf(source, labels).map(plainPerson),
    contacts: contactsOf(source).map(plainPerson),
    design: {
      ...design,
      header: plain(design.header),
      footer: plain(design.footer),
      cover: {
        title: plain(design.cover.title),
        subtitle: plain(design.cover.subtitle),
        note: plain(design.cover.note),
      },
    },
    labels: { ...labels, ...fieldNamesOf(source, plain) },
    severities,
    findings: written,
    sections,
    images: Object.fromEntries([...images].map(([key, { value }]) => [key, value])),
  }
  return {
    document: { data, images: new Map([...images].map(([key, { bytes }]) => [key, bytes])) },
    problems: composer.notes.flatMap(problemOf),
    notes: composer.notes,
  }
}

/** The key of the logo of the template among the images. */
const LOGO = 'logo'

const logoOf = ({ template }: ReportSource, composer: Composer, place: Place): ReadImage | undefined => {
  if (!template.logo) return undefined
  const image = imageOf(template.logo.bytes)
  if (typeof image !== 'string') return image
  const { fileName } = template.logo
  composer.note({ code: 'unreadable_image', place, quote: fileName, message: `${fileName} ${image}` })
  return undefined
}

const paragraph = (text: string): BlockValue => ({ type: 'paragraph', content: [{ type: 'text', text }] })

interface OutlineEntry {
  id: string
  anchor: string
  number: string
  /** Words of a reference to it. */
  reference: string
}

/** Sections with a title are numbered. */
const outlineOf = ({ sections }: ReportSource, labels: Labels): OutlineEntry[] => {
  let last = 0
  return sections.map(({ id, key, title }) => {
    const number = title === '' ? '' : String((last += 1))
    return { id, anchor: `section-${key}`, number, reference: number === '' ? title : `${labels.section} ${number}` }
  })
}

const fieldsOf = ({ definitions, frame }: ReportSource, labels: Labels, words: Words) => {
  const of = (objectType: 'engagement' | 'client', values: ReportSource['frame']['fields'] | null) =>
    Object.fromEntries(
      definitions
        .filter(({ object_type: type }) => type === objectType)
        .map(({ key }) => [key, fieldText(values?.[key], labels, words)]),
    )
  return { engagement: of('engagement', frame.fields), client: of('client', frame.client_fields) }
}

/** Names of the custom fields of findings, which writers show before the values. */
const fieldNamesOf = ({ definitions }: ReportSource, plain: (text: string) => string): Record<string, string> =>
  Object.fromEntries(
    definitions
      .filter(({ object_type: type }) => type === 'finding')
      .map(({ key, label }) => [`field_${key}`, plain(label)]),
  )

export const blocksOfFinding = (finding: DataFindingValue): BlockValue[] => [
  ...finding.summary,
  ...finding.description,
  ...finding.impact,
  ...finding.reproduction,
  ...finding.recommendation,
  ...finding.evidence,
]

/** The images that blocks show, by key, in the order of their first figure. */
const imagesIn = (blocks: readonly BlockValue[], source: ReportSource): Map<string, ReadImage> => {
  const images = new Map<string, ReadImage>()
  const waiting = blocks.toReversed()
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    const image = typeof block.image === 'string' ? source.images.get(block.image) : undefined
    if (image && typeof block.image === 'string') images.set(block.image, image)
    if (block.items) waiting.push(...block.items.flat().toReversed())
  }
  return images
}

/** Placeholders, references and captions are shown by checks. */
const problemOf = ({ code, message, place, quote }: Note): WriterProblem[] =>
  code === 'missing_file' || code === 'unshown_character' || code === 'unreadable_image' || code === 'too_complex'
    ? [{ level: 'warning', message, where: [place.id, place.section, quote].filter((part) => part !== null).join(' ') }]
    : []
