import { readXml } from '../package/xml.ts'

type Kind = 'paragraph' | 'character' | 'table'

interface Style {
  id: string
  kind: Kind
  /** Of the list that the style numbers. */
  numId?: string
  level?: number
}

const plain = (name: string, kind: Kind, id: string, content: string, basedOn = '') => ({
  id,
  kind,
  xml: `<w:style w:type="${kind}" w:styleId="${id}"><w:name w:val="${name}"/>${basedOn === '' ? '' : `<w:basedOn w:val="${basedOn}"/>`}<w:qFormat/>${content}</w:style>`,
})

const HEADING_SIZES = [32, 28, 26, 24, 22, 22]
const MONO = '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>'
const BORDERS = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
  .join('')

/**
 * Styles that Word has built in and a template may lack, in plain form: they follow the template's own text style. Keys
 * are names in lower case.
 */
const ADDED: Readonly<Record<string, { id: string; kind: Kind; xml: string }>> = {
  ...Object.fromEntries(
    HEADING_SIZES.map((size, index) => [
      `heading ${index + 1}`,
      plain(
        `heading ${index + 1}`,
        'paragraph',
        `Heading${index + 1}`,
        `<w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="${index}"/></w:pPr><w:rPr><w:b/><w:sz w:val="${size}"/></w:rPr>`,
      ),
    ]),
  ),
  ...Object.fromEntries(
    ['', ' 2', ' 3', ' 4', ' 5'].flatMap((suffix) =>
      ['List Bullet', 'List Number', 'List Continue'].map((name) => [
        `${name}${suffix}`.toLowerCase(),
        plain(
          `${name}${suffix}`,
          'paragraph',
          `${name}${suffix}`.replaceAll(' ', ''),
          '<w:pPr><w:spacing w:after="60"/><w:contextualSpacing/></w:pPr>',
        ),
      ]),
    ),
  ),
  caption: plain(
    'caption',
    'paragraph',
    'Caption',
    '<w:pPr><w:spacing w:before="60" w:after="200"/></w:pPr><w:rPr><w:i/><w:sz w:val="18"/></w:rPr>',
  ),
  quote: plain(
    'Quote',
    'paragraph',
    'Quote',
    '<w:pPr><w:ind w:left="567" w:right="567"/></w:pPr><w:rPr><w:i/></w:rPr>',
  ),
  'intense quote': plain(
    'Intense Quote',
    'paragraph',
    'IntenseQuote',
    '<w:pPr><w:pBdr><w:left w:val="single" w:sz="24" w:space="8" w:color="808080"/></w:pBdr><w:ind w:left="284"/></w:pPr>',
  ),
  'html preformatted': plain(
    'HTML Preformatted',
    'paragraph',
    'HTMLPreformatted',
    `<w:pPr><w:shd w:val="clear" w:color="auto" w:fill="F4F5F7"/><w:spacing w:before="80" w:after="160"/></w:pPr><w:rPr>${MONO}<w:sz w:val="18"/></w:rPr>`,
  ),
  'html code': plain('HTML Code', 'character', 'HTMLCode', `<w:rPr>${MONO}<w:sz w:val="19"/></w:rPr>`),
  hyperlink: plain(
    'Hyperlink',
    'character',
    'Hyperlink',
    '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>',
  ),
  'table grid': plain(
    'Table Grid',
    'table',
    'TableGrid',
    `<w:tblPr><w:tblBorders>${BORDERS}</w:tblBorders><w:tblCellMar><w:left w:w="108" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr>`,
  ),
}

/** The styles of a template by their names, which are English in every Word; missing built-in ones are added. */
export interface Styles {
  /** The id of a style if the template has it, by its name. */
  known(name: string, kind?: Kind): string | undefined
  /** The id of the first of these paragraph styles that the template has; otherwise the last one is added. */
  paragraph(...names: string[]): string
  character(name: string): string
  table(...names: string[]): string
  /** The list that a style belongs to, if it has one. */
  listOf(id: string): { numId: string; level: number } | undefined
  /** 1 to 9 for a heading; undefined for other styles. */
  headingLevel(id: string): number | undefined
  /** The part with the added styles. */
  xml(): string
}

const EMPTY =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"></w:styles>'

/** Reads the part `styles.xml`; undefined if the template has none. */
export const readStyles = (source: string = EMPTY): Styles => {
  const byName = stylesIn(source)
  const added: string[] = []
  const known = (name: string, kind?: Kind): string | undefined => {
    const style = byName.get(name.toLowerCase())
    return style && (kind === undefined || style.kind === kind) ? style.id : undefined
  }
  const first = (kind: Kind, names: readonly string[]): string => {
    for (const name of names) {
      const id = known(name, kind)
      if (id !== undefined) return id
    }
    const last = (names.at(-1) ?? '').toLowerCase()
    const style = ADDED[last]
    if (!style || style.kind !== kind) throw new Error(`there is no built-in style ${last}`)
    // Another style may have this id, under a name of its own.
    const isTaken = [...byName.values()].some(({ id }) => id === style.id)
    const id = isTaken ? `Sortie${style.id}` : style.id
    byName.set(last, { id, kind })
    added.push(style.xml.replace(`w:styleId="${style.id}"`, () => `w:styleId="${id}"`))
    return id
  }
  const headings = new Map<string, number>()
  for (const [name, { id }] of byName) {
    const level = name.startsWith('heading ') ? Number(name.slice('heading '.length)) : Number.NaN
    if (level >= 1 && level <= 9) headings.set(id, level)
  }
  return {
    known,
    paragraph: (...names) => first('paragraph', names),
    character: (name) => first('character', [name]),
    table: (...names) => first('table', names),
    listOf: (id) => {
      const style = [...byName.values()].find((each) => each.id === id)
      return style?.numId === undefined ? undefined : { numId: style.numId, level: style.level ?? 0 }
    },
    headingLevel: (id) => headings.get(id),
    xml: () => {
      const end = source.lastIndexOf('</w:styles>')
      return added.length === 0 ? source : source.slice(0, end) + added.join('') + source.slice(end)
    },
  }
}

const stylesIn = (source: string): Map<string, Style> => {
  const byName = new Map<string, Style>()
  let style: (Style & { name: string }) | undefined
  readXml(source, {
    open: (local, attributes) => {
      if (local === 'style') {
        const type = attributes.get('type')
        const kind = type === 'character' || type === 'table' ? type : 'paragraph'
        style = { id: attributes.get('styleId') ?? '', kind, name: '' }
      }
      const value = attributes.get('val')
      if (!style || value === undefined) return
      if (local === 'name') style.name = value
      if (local === 'numId') style.numId = value
      if (local === 'ilvl') style.level = Number(value)
    },
    close: (local) => {
      if (local !== 'style' || !style) return
      const { name, ...rest } = style
      if (rest.id !== '' && !byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), rest)
      style = undefined
    },
  })
  return byName
}
