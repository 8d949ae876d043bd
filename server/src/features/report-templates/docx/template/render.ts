import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import Docxtemplater, { type DXT } from 'docxtemplater'
import { bookmarkBeforeRun, bookmarkOf, cellColor } from '../body/anchors.ts'
import { blocksXml } from '../body/blocks.ts'
import type { Body, Spot } from '../body/body.ts'
import { picture } from '../body/figures.ts'
import { evaluate } from '../expressions/evaluate.ts'
import { parseExpression } from '../expressions/parse.ts'
import { isTruthy } from '../expressions/place.ts'
import { BadExpression } from '../expressions/tokens.ts'
import type { Parts } from '../package/read-zip.ts'
import { toArchive } from '../package/write-zip.ts'
import { escapeXml } from '../package/xml.ts'
import { fieldOf, isObject, PictureKey, RichText, type ScopeObject, type ScopeValue, textOf } from '../scope/values.ts'
import { isColor } from './check-tags.ts'
import type { TemplateProblem } from './problems.ts'
import type { Tag } from './tags.ts'

/** Parts whose text may contain tags. */
export const isTemplated = (name: string): boolean => {
  const [folder, file = '', ...rest] = name.split('/')
  if (folder !== 'word' || rest.length > 0 || !file.endsWith('.xml')) return false
  return ['document', 'header', 'footer', 'footnotes', 'endnotes'].some((start) => file.startsWith(start))
}

const TEXT = 'sortie/text'
const COLOR = 'sortie/color'
const PICTURE = 'sortie/picture'
const RAW = 'rawxml'
const LOOP = 'loop'

interface Rendering {
  body: Body
  scope: ScopeObject
  data: ReportDataValue
}

/**
 * Fills the tags of a template. Values are inserted once and never read as tags.
 *
 * @returns what docxtemplater finds wrong with the structure of the template; then the parts are unchanged
 */
export const renderTags = (parts: Parts, rendering: Rendering, tags: readonly Tag[]): TemplateProblem[] => {
  const templated = [...parts.keys()].filter(isTemplated)
  // Properties of the document are written by this server, not by tags.
  const inside = new Map([...parts].filter(([name]) => !name.startsWith('docProps/')))
  try {
    const filler = fillerOf(rendering)
    const doc = new Docxtemplater(toArchive(inside), {
      modules: [filler.module],
      parser: filler.parser,
      paragraphLoop: true,
      linebreaks: false,
      errorLogging: false,
      warnFn: () => undefined,
      syntax: { changeDelimiterPrefix: null },
      nullGetter: () => '',
    })
    doc.render(rendering.scope)
    if (filler.isTooLarge()) return [ofTemplate(TOO_LARGE)]
    const zip = doc.getZip()
    for (const name of templated) {
      const filled = zip.file(name)
      if (filled) parts.set(name, filled.asUint8Array())
    }
    return []
  } catch (error) {
    const problems = structureProblems(error, tags)
    if (problems.length === 0) throw error
    return problems
  }
}

/** What docxtemplater knows of a tag while it asks for its value. */
interface Context {
  scopeList: ScopeValue[]
  scopePathItem: number[]
  scopePathLength?: number[]
  num: number
  meta: { part: DXT.Part }
}

const STYLE = '<w:pStyle w:val="'

/** The style of the last paragraph that begins in a piece of XML. */
const lastStyle = (xml: string): string | undefined => {
  const at = xml.lastIndexOf(STYLE)
  if (at === -1) return undefined
  return xml.slice(at + STYLE.length, xml.indexOf('"', at + STYLE.length))
}

const CELL_WIDTH = '<w:tcW '
/** Margins of a cell, in twentieths of a point. */
const CELL_MARGINS = 216

/** The space in a cell whose width is stated in twentieths of a point. */
const cellWidth = (xml: string): number | undefined => {
  const at = xml.indexOf(CELL_WIDTH)
  if (at === -1) return undefined
  const element = xml.slice(at, xml.indexOf('>', at))
  const width = Number(element.split('w:w="')[1]?.split('"')[0])
  return element.includes('w:type="dxa"') && width > CELL_MARGINS ? width - CELL_MARGINS : undefined
}

/** Characters of XML: a file that unpacks to more than 200 MB is not opened. */
const MAX_XML = 100_000_000
/** What a piece of XML costs in addition to its characters. */
const PIECE = 20
const TOO_LARGE = `This template makes a document of more than ${MAX_XML / 1_000_000} million characters: it has loops in loops, or repeats a long part for every finding.`

const fillerOf = ({ body, scope, data }: Rendering) => {
  let level = 0
  let written = 0
  /** Whether so much was written that the rest is left out: no file is made of it. */
  const isTooLarge = (): boolean => written > MAX_XML
  /** Widths of the cells around the place that is written, innermost last; undefined if a cell does not state its own. */
  const cells: (number | undefined)[] = []
  /** Anchors of findings and sections whose heading is written. */
  const anchored = new Set<string>()

  const placeOf = ({ scopeList, scopePathItem, scopePathLength }: Context) => ({
    scopes: [...scopeList.slice(1).toReversed(), scope],
    index: scopePathItem.at(-1) ?? 0,
    isLast: (scopePathItem.at(-1) ?? 0) + 1 === (scopePathLength?.at(-1) ?? 1),
    language: data.language,
  })

  const rich = (value: ScopeValue | undefined, part: DXT.Part): string => {
    // What stood around the tag in its paragraph: its style is that of plain paragraphs.
    const [before = []] = part.expanded ?? []
    const around = [before].flat().map((each) => each.value ?? '')
    const style = lastStyle(around.join(''))
    const isHeading = style !== undefined && body.styles.headingLevel(style) !== undefined
    const spot: Spot = {
      level,
      style: isHeading ? undefined : style,
      width: Math.min(body.area.width, cells.findLast((each) => each !== undefined) ?? body.area.width),
      depth: 0,
      colorsSeverities: true,
    }
    return blocksXml(body, toBlocks(value), spot)
  }

  /** The first text of a finding or section is where references lead. */
  const anchorAt = (scopes: readonly ScopeValue[]): string => {
    const anchor = textOf(scopes.map((each) => fieldOf(each, 'anchor')).find((each) => each !== undefined))
    if (anchor === '' || anchored.has(anchor)) return ''
    anchored.add(anchor)
    return bookmarkBeforeRun(bookmarkOf(anchor))
  }

  const parser = (source: string) => {
    const text = source.trim()
    // docxtemplater asks for a parser of every tag; the end of a loop may have no name.
    const expression = text === '' ? parseExpression('.') : parseExpression(text)
    return {
      get: (_scope: ScopeValue, context: Context): unknown => {
        // The expression looks in every scope itself; docxtemplater would repeat it for each.
        if (context.num < context.scopeList.length - 1) return undefined
        const { part } = context.meta
        if (isTooLarge()) return part.module === LOOP ? [] : ''
        const place = placeOf(context)
        const value = evaluate(expression, place)
        if (part.module === RAW) {
          const xml = rich(value, part)
          written += xml.length
          return xml
        }
        if (part.module === LOOP) return loopValue(value)
        if (part.module === COLOR) return cellColor(textOf(value).replace('#', '').slice(0, 6))
        if (part.module === PICTURE) return pictureOf(value)
        const shown = textOf(value)
        written += shown.length
        return { text: shown, mark: anchorAt(place.scopes) }
      },
    }
  }

  const pictureOf = (value: ScopeValue | undefined): string => {
    const key = value instanceof PictureKey ? value.key : textOf(value)
    return picture(body, key, '', body.area.width / 2, body.area.height / 8) ?? ''
  }

  const module: DXT.Module = {
    name: 'SortieModule',
    matchers: () => [
      // What is returned here wins: docxtemplater passes the tag, and the tag without its prefix.
      ['@', RAW, (values) => (isColor(String(values[1])) ? { module: COLOR, priority: 10 } : {})],
      ['%', PICTURE, { priority: 10 }],
    ],
    parse: (text: string) => ({ type: 'placeholder', module: TEXT, value: text }),
    render: (part: DXT.Part, { scopeManager, filePath }: DXT.RenderOptions) => {
      written += (part.type === 'placeholder' ? 0 : (part.value?.length ?? 0)) + PIECE
      if (isTooLarge() && part.module !== LOOP) return { value: '', errors: [] }
      if (typeof filePath === 'string' && filePath !== body.part) {
        body.part = filePath
        level = 0
        cells.length = 0
      }
      if (part.type === 'tag' && part.tag === 'w:tc') {
        if (part.position === 'start') cells.push(undefined)
        else cells.pop()
      }
      const width = part.type === 'placeholder' || cells.length === 0 ? undefined : cellWidth(part.value ?? '')
      if (width !== undefined) cells[cells.length - 1] = width
      const style = part.type === 'placeholder' ? undefined : lastStyle(part.value ?? '')
      if (style !== undefined) level = body.styles.headingLevel(style) ?? level
      if (![TEXT, COLOR, PICTURE].includes(part.module)) return null
      try {
        const value: unknown = scopeManager.getValue(part.value, { part })
        if (part.module === TEXT) return { value: textXml(value), errors: [] }
        // Values of pictures and colors are made above, as XML.
        const xml = typeof value === 'string' ? value : ''
        return { value: part.module === PICTURE ? runXml(xml) : xml, errors: [] }
      } catch (error) {
        return { value: '', errors: [error] }
      }
    },
  }
  return { module, parser, isTooLarge }
}

/** In the middle of a run: its lines and tabs, with the form of the tag. */
const textXml = (value: unknown): string => {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('mark' in value)) return ''
  const lines = String(value.text).replaceAll('\r\n', '\n').split('\n')
  const open = '<w:t xml:space="preserve">'
  const content = lines.map((line) => line.split('\t').map(escapeXml).join(`</w:t><w:tab/>${open}`))
  return String(value.mark) + content.join(`</w:t><w:br/>${open}`)
}

/** A picture is a run of its own: it ends the run of the tag, and begins another. */
const runXml = (run: string): string => (run === '' ? '' : `</w:t></w:r>${run}<w:r><w:t xml:space="preserve">`)

const loopValue = (value: ScopeValue | undefined): unknown => {
  if (Array.isArray(value) || isObject(value)) return value
  return isTruthy(value)
}

/** Any value as blocks: a list as bullets, a text as its lines. */
const toBlocks = (value: ScopeValue | undefined): RichText['blocks'] => {
  if (value instanceof RichText) return value.blocks
  const paragraph = (text: string) => ({ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] })
  if (Array.isArray(value)) {
    const list: readonly ScopeValue[] = value
    if (list.length === 0) return []
    const nameOf = (item: ScopeValue) =>
      isObject(item) ? textOf(fieldOf(item, 'asset') ?? fieldOf(item, 'name') ?? fieldOf(item, 'title')) : textOf(item)
    return [{ type: 'list', items: list.map((item) => [paragraph(nameOf(item))]) }]
  }
  const text = textOf(value)
  return text === '' ? [] : text.split('\n').map(paragraph)
}

const WORDS: Readonly<Record<string, string>> = {
  raw_xml_tag_not_in_paragraph: 'This tag inserts whole paragraphs: it must be the only text of its paragraph.',
  raw_xml_tag_should_be_only_text_in_paragraph:
    'This tag inserts whole paragraphs: it must be the only text of its paragraph.',
  raw_tag_outerxml_invalid: 'This tag inserts whole paragraphs: it must have a paragraph of its own.',
  no_xml_tag_found_at_left: 'This loop must begin within the element that it repeats.',
  no_xml_tag_found_at_right: 'This loop must end within the element that it repeats.',
  unbalanced_loop_tags:
    'This loop begins and ends in different rows, cells or tables: begin and end it in the same one.',
  loop_position_invalid: 'This loop begins and ends in different rows or tables: begin and end it in the same one.',
  loop_position_crosses: 'These loops overlap: the inner one must end before the outer one.',
}

/** Properties of an error of docxtemplater. */
interface Properties {
  id?: unknown
  xtag?: unknown
  file?: unknown
  explanation?: unknown
  errors?: unknown
  rootError?: unknown
}

const propertiesOf = (error: unknown): Properties | undefined =>
  typeof error === 'object' && error !== null && 'properties' in error && typeof error.properties === 'object'
    ? (error.properties ?? undefined)
    : undefined

const structureProblems = (error: unknown, tags: readonly Tag[]): TemplateProblem[] => {
  const properties = propertiesOf(error)
  if (!properties) return error instanceof BadExpression ? [ofTemplate(`A tag cannot be read: ${error.message}.`)] : []
  const errors: unknown[] = Array.isArray(properties.errors) ? properties.errors : [error]
  const seen = new Map<string, number>()
  return errors.map((each): TemplateProblem => {
    const own = propertiesOf(each) ?? {}
    const text = typeof own.xtag === 'string' ? own.xtag : ''
    const file = typeof own.file === 'string' ? own.file : 'word/document.xml'
    const same = tags.filter((tag) => tag.part === file && tag.text.includes(text))
    const count = seen.get(text) ?? 0
    seen.set(text, count + 1)
    const id = typeof own.id === 'string' ? own.id : ''
    // Errors of a loop over an element do not name its tag.
    const dashed = id.startsWith('no_xml_tag_found') ? tags.filter((tag) => tag.text.trim().startsWith('-')) : []
    const tag = text === '' ? dashed[0] : (same[count] ?? same[0])
    return {
      level: 'error',
      message:
        own.rootError instanceof BadExpression
          ? `This tag cannot be filled: ${own.rootError.message}.`
          : (WORDS[id] ?? 'The structure around this tag does not fit.'),
      file,
      tag: tag ? `{${tag.text}}` : text === '' ? null : `{${text}}`,
      context: tag?.context ?? null,
      paragraph: tag?.paragraph ?? null,
      fits: null,
    }
  })
}

const ofTemplate = (message: string): TemplateProblem => ({
  level: 'error',
  message,
  file: 'word/document.xml',
  tag: null,
  context: null,
  paragraph: null,
  fits: null,
})
