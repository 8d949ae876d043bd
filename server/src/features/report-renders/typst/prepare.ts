import type { BlockValue, InlineValue, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import { problem, type TypstInput, type TypstProblem } from './document.ts'
import { type ChosenFonts, chooseFonts } from './fonts.ts'

/** Larger images are left out: decoded, one would take the memory of the whole compilation. */
const MAX_PIXELS = 60_000_000
/** More findings than this are not in the table of contents. */
const MANY = 60
/** Rows of one table. */
const MAX_ROWS = 5_000
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
/** Of words in a cell, when columns share the width. */
const [NARROWEST, WIDEST] = [4, 44]
const UNKNOWN = '\u{fffd}'

export interface Prepared {
  /** What the functions get, as JSON. */
  json: Buffer
  fonts: ChosenFonts
  /** Virtual path by key. */
  files: Map<string, string>
  problems: TypstProblem[]
}

/**
 * Makes of report-data what the functions can show without an error: each character has a glyph or a mark, each
 * reference leads somewhere, each image can be read.
 *
 * @param refused keys of images that the compiler could not decode
 * @param unseen code points that the compiler had no glyph for, although a font claims one
 */
export const prepare = (
  { data, images, fonts, isExtract }: TypstInput,
  refused: ReadonlySet<string>,
  unseen: ReadonlySet<number>,
): Prepared => {
  const problems: TypstProblem[] = []
  const files = filesOf(data, images, refused, problems)
  const chosen = chooseFonts(codePoints(JSON.stringify(data)), fonts)
  const marks = new Map<number, number>()
  const isShown = (point: number): boolean => {
    if (!isForbidden(point) && !chosen.missing.has(point) && !unseen.has(point)) return true
    marks.set(point, (marks.get(point) ?? 0) + 1)
    return false
  }
  const clean = cleaned(data, isShown)
  const anchors = moveAnchors(clean, isExtract)
  dropReferences(clean, anchors)
  const picture = (key: string | null | undefined) => pictureOf(data, files, key)
  eachBlock(clean, (block) => {
    if (block.type === 'figure') Object.assign(block, { picture: picture(block.image) })
  })
  const [year, month, day] = clean.report.date.split('-').map(Number) as [number, number, number]
  const [lang, ...subtags] = clean.language.split('-') as [string, ...string[]]
  const shown = {
    ...clean,
    findings: clean.findings.map((one) => ({
      ...one,
      // Null where the report has no section with its text.
      anchor: anchors.has(one.anchor) ? one.anchor : null,
      score: scoreText(one.cvssScore, clean.language),
    })),
    logo: picture(clean.design.logo),
    lang: /^[a-z]{2,3}$/i.test(lang) ? lang.toLowerCase() : 'en',
    region: subtags.find((one) => /^[a-z]{2}$/i.test(one))?.toUpperCase() ?? null,
    created: { year, month, day },
    description: `${clean.client.name} – ${clean.engagement.name}`,
    keywords: [clean.client.name, clean.engagement.name].filter((one) => one !== ''),
    isExtract,
    'contents-depth': clean.findings.length > MANY ? 1 : clean.design.groupBySeverity ? 3 : 2,
  }
  for (const [point, count] of [...marks].toSorted(([one], [other]) => one - other).slice(0, 50)) {
    const times = count === 1 ? 'once' : `${count} times`
    problems.push(
      problem('warning', `The character ${nameOf(point)} has no glyph in any font: it is a mark, ${times}.`),
    )
  }
  return { json: Buffer.from(JSON.stringify(shown)), fonts: chosen, files, problems }
}

const filesOf = (
  data: ReportDataValue,
  images: TypstInput['images'],
  refused: ReadonlySet<string>,
  problems: TypstProblem[],
): Map<string, string> => {
  const files = new Map<string, string>()
  for (const [key, { mediaType, width, height }] of Object.entries(data.images)) {
    const extension = EXTENSIONS[mediaType]
    const why = !images.has(key)
      ? 'is missing'
      : extension === undefined
        ? 'has a format that PDF files cannot show: save it as PNG or JPEG'
        : refused.has(key) || !beginsAs(mediaType, images.get(key))
          ? 'cannot be decoded'
          : width * height > MAX_PIXELS
            ? `has more than ${MAX_PIXELS / 1_000_000} megapixels`
            : undefined
    if (why === undefined) files.set(key, `/images/${files.size + 1}.${extension}`)
    else problems.push(problem('warning', `An image ${why}: its place is empty.`, key))
  }
  return files
}

const STARTS: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG',
  'image/jpeg': '\xff\xd8\xff',
  'image/gif': 'GIF8',
  'image/webp': 'RIFF',
}

/** Whether a file begins as its type does: finding this out by compiling takes as long as a render. */
const beginsAs = (mediaType: string, bytes: Uint8Array = new Uint8Array()): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4))
    .toString('latin1')
    .startsWith(STARTS[mediaType] ?? '')

/** Where an image is, and its size in pixels; null if its place stays empty. */
const pictureOf = ({ images }: ReportDataValue, files: ReadonlyMap<string, string>, key: string | null | undefined) => {
  const path = key == null ? undefined : files.get(key)
  const size = key == null ? undefined : images[key]
  return path === undefined || size === undefined ? null : { path, width: size.width, height: size.height }
}

const codePoints = (text: string): Set<number> => {
  const points = new Set<number>()
  for (const letter of text) {
    const point = letter.codePointAt(0) as number
    if (point > 0x20) points.add(point)
  }
  return points
}

const within = (point: number, from: number, to: number): boolean => point >= from && point <= to

/**
 * Characters that are never shown as they are, whatever a font has: control characters, those that turn the direction
 * of text (a reader could not see that they are there), private-use ones and noncharacters, which PDF/A refuses.
 */
const isForbidden = (point: number): boolean =>
  point < 0x20 ||
  within(point, 0x7f, 0x9f) ||
  within(point, 0x202a, 0x202e) ||
  within(point, 0x2066, 0x2069) ||
  within(point, 0xd800, 0xf8ff) ||
  within(point, 0xfdd0, 0xfdef) ||
  (point & 0xfffe) === 0xfffe ||
  point === 0xfeff ||
  within(point, 0xe0000, 0x10ffff)

/** Select a look of the character before; no font of ours has several. */
const isSelector = (point: number): boolean => within(point, 0xfe00, 0xfe0f) || within(point, 0xe0100, 0xe01ef)

const nameOf = (point: number): string => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`

const tidy = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll('\t', '    ')
    .replaceAll('\u2028', '\n')
    .replaceAll('\u2029', '\n')

const cleanText = (text: string, isShown: (point: number) => boolean): string => {
  let out = ''
  for (const letter of tidy(text)) {
    const point = letter.codePointAt(0) as number
    if (isSelector(point)) continue
    out += letter === '\n' || isShown(point) ? letter : UNKNOWN
  }
  return out
}

/** A copy in which every string can be shown; in running text, a mark names the character. */
const cleaned = (data: ReportDataValue, isShown: (point: number) => boolean): ReportDataValue => {
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return EXACT.has(key) ? value : cleanText(value, isShown)
    if (Array.isArray(value)) return value.flatMap((one) => (isInline(one) ? pieces(one, isShown) : [clean(one, '')]))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clean(one, name)]))
    return value
  }
  return clean(data, '') as ReportDataValue
}

/** Fields that are not text. */
const EXACT = new Set(['anchor', 'target', 'href', 'image', 'id', 'sha256', 'date', 'logo', 'type', 'kind', 'code'])

const isInline = (value: unknown): value is InlineValue =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'text' || value.type === 'link' || value.type === 'reference') &&
  !('items' in value)

const pieces = (inline: InlineValue, isShown: (point: number) => boolean): InlineValue[] => {
  const out: InlineValue[] = []
  let text = ''
  for (const letter of tidy(inline.text ?? '').replaceAll('\n', ' ')) {
    const point = letter.codePointAt(0) as number
    if (isSelector(point)) continue
    if (isShown(point)) {
      text += letter
      continue
    }
    if (text !== '') out.push({ ...inline, text })
    out.push({ type: 'mark', code: nameOf(point) })
    text = ''
  }
  if (text !== '' || out.length === 0) out.push({ ...inline, text })
  return out
}

const scoreText = (score: number | null, language: string): string | null =>
  score === null
    ? null
    : new Intl.NumberFormat(language, { minimumFractionDigits: 1, numberingSystem: 'latn' }).format(score)

const TEXTS = ['summary', 'description', 'impact', 'reproduction', 'recommendation', 'evidence'] as const

/** Visits every block, those in lists and quotes included. */
const eachBlock = (data: ReportDataValue, visit: (block: BlockValue) => void): void => {
  const walk = (blocks: readonly BlockValue[]): void => {
    for (const block of blocks) {
      visit(block)
      for (const item of block.items ?? []) walk(item)
    }
  }
  for (const { blocks } of data.sections) walk(blocks)
  for (const finding of data.findings) for (const name of TEXTS) walk(finding[name])
}

/** The anchors that exist; a second block of the same name loses it. Also completes tables. */
const moveAnchors = (data: ReportDataValue, isExtract: boolean): Set<string> => {
  const anchors = new Set<string>()
  const shows = isExtract || data.sections.some(({ blocks }) => blocks.some(({ type }) => type === 'findings'))
  const take = (holder: { anchor?: string }) => {
    if (holder.anchor === undefined) return
    // A second one of the same name would be an error.
    if (holder.anchor === '' || anchors.has(holder.anchor)) holder.anchor = `${holder.anchor}-${anchors.size}-again`
    anchors.add(holder.anchor)
  }
  for (const one of isExtract ? [] : data.sections) take(one)
  for (const one of shows ? data.findings : []) take(one)
  const parts = new Set<string>(data.design.findingParts)
  const shown = {
    ...data,
    sections: isExtract ? [] : data.sections.filter(({ live }) => live !== 'findings_table'),
    findings: shows
      ? data.findings.map((finding) => ({
          ...finding,
          ...Object.fromEntries(TEXTS.filter((name) => !parts.has(name)).map((name) => [name, []])),
        }))
      : [],
  }
  eachBlock(shown, take)
  eachBlock(data, completeTable)
  return anchors
}

const completeTable = (block: BlockValue): void => {
  if (block.type !== 'table') return
  const columns = (block.columns ??= [])
  block.rows = (block.rows ?? []).slice(0, MAX_ROWS)
  const widths = columns.map(({ title }, index) => {
    const lengths = [title, ...(block.rows ?? []).map((row) => row[index] ?? [])].map(lengthOf)
    const longest = Math.max(...lengths)
    const mean = lengths.reduce((sum, one) => sum + one, 0) / lengths.length
    return Math.min(WIDEST, Math.max(NARROWEST, Math.sqrt(longest * mean) + 2))
  })
  Object.assign(block, { weights: widths })
}

const lengthOf = (inlines: readonly InlineValue[]): number =>
  inlines.reduce((sum, { text = '', code = '' }) => sum + text.length + code.length, 0)

/** A reference to what is not in this document stays as words. */
const dropReferences = (data: ReportDataValue, anchors: ReadonlySet<string>): void => {
  const drop = (inlines: readonly InlineValue[] | undefined): void => {
    for (const one of inlines ?? []) if (one.target !== undefined && !anchors.has(one.target)) delete one.target
  }
  eachBlock(data, (block) => {
    drop(block.content)
    drop(block.caption)
    for (const { title } of block.columns ?? []) drop(title)
    for (const row of block.rows ?? []) row.forEach(drop)
  })
}
