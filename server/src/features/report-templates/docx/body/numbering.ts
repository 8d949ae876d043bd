import { readXml } from '../package/xml.ts'

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const EMPTY = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${W}"></w:numbering>`
const LEVELS = 9
const BULLETS = ['•', '–', '▪']
const FORMATS = ['decimal', 'lowerLetter', 'lowerRoman']
/** Twentieths of a point. */
const INDENT = 360

/** Lists of the document: each gets its own numbering, so that it starts where it should. */
export interface Numbering {
  /**
   * @param own the list of the template's style, if it has one
   * @returns the number of a new list
   */
  add(list: { ordered: boolean; start: number; own: string | undefined }): string
  /** The part with the new lists; undefined if there are none, and the template has none. */
  xml(): string | undefined
}

/** Reads the part `numbering.xml`; undefined if the template has none. */
export const readNumbering = (source: string | undefined): Numbering => {
  const xml = source ?? EMPTY
  const { abstractOf, lastAbstract, lastNum } = listsIn(xml)
  let nextAbstract = lastAbstract + 1
  let nextNum = lastNum + 1
  const abstracts: string[] = []
  const nums: string[] = []
  const ours: { bullet?: number; decimal?: number } = {}
  const ourAbstract = (kind: 'bullet' | 'decimal'): number => {
    const known = ours[kind]
    if (known !== undefined) return known
    const id = nextAbstract++
    ours[kind] = id
    abstracts.push(abstractXml(id, kind))
    return id
  }
  return {
    add: ({ ordered, start, own }) => {
      const numId = String(nextNum++)
      const abstract =
        (own === undefined ? undefined : abstractOf.get(own)) ?? ourAbstract(ordered ? 'decimal' : 'bullet')
      const overrides = ordered
        ? Array.from({ length: LEVELS }, (_, level) => level)
            .map((level) => `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`)
            .join('')
        : ''
      nums.push(`<w:num w:numId="${numId}"><w:abstractNumId w:val="${abstract}"/>${overrides}</w:num>`)
      return numId
    },
    xml: () => (nums.length === 0 ? source : inserted(xml, abstracts.join(''), nums.join(''))),
  }
}

/** The schema wants every `w:abstractNum` before the first `w:num`. */
const inserted = (xml: string, abstracts: string, nums: string): string => {
  const end = xml.lastIndexOf('</w:numbering>')
  const whole = end === -1 ? xml.replace('/>', '></w:numbering>') : xml
  const close = whole.lastIndexOf('</w:numbering>')
  const firstNum = whole.indexOf('<w:num ')
  const cleanup = whole.indexOf('<w:numIdMacAtCleanup')
  const afterNums = cleanup === -1 ? close : cleanup
  const afterAbstracts = firstNum === -1 ? afterNums : firstNum
  return (
    whole.slice(0, afterAbstracts) + abstracts + whole.slice(afterAbstracts, afterNums) + nums + whole.slice(afterNums)
  )
}

const abstractXml = (id: number, kind: 'bullet' | 'decimal'): string => {
  const levels = Array.from({ length: LEVELS }, (_, level) => {
    const format = kind === 'bullet' ? 'bullet' : (FORMATS[level % FORMATS.length] as string)
    const text = kind === 'bullet' ? (BULLETS[level % BULLETS.length] as string) : `%${level + 1}.`
    return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${INDENT * (level + 1)}" w:hanging="${INDENT}"/></w:pPr></w:lvl>`
  })
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join('')}</w:abstractNum>`
}

const listsIn = (xml: string) => {
  const abstractOf = new Map<string, number>()
  let lastAbstract = -1
  let lastNum = 0
  let num: string | undefined
  readXml(xml, {
    open: (local, attributes) => {
      if (local === 'abstractNum') lastAbstract = Math.max(lastAbstract, Number(attributes.get('abstractNumId')) || 0)
      if (local === 'num') {
        num = attributes.get('numId')
        lastNum = Math.max(lastNum, Number(num) || 0)
      }
      if (local === 'abstractNumId' && num !== undefined) abstractOf.set(num, Number(attributes.get('val')) || 0)
    },
    close: (local) => {
      if (local === 'num') num = undefined
    },
  })
  return { abstractOf, lastAbstract, lastNum }
}
