import type { TextArea } from '../body/body.ts'
import { readXml } from '../package/xml.ts'

/** A4 with margins of an inch, in twentieths of a point. */
const DEFAULT: TextArea = { width: 11_906 - 2 * 1_440, height: 16_838 - 2 * 1_440 }

/** The space for text on the narrowest kind of page of a document. */
export const textAreaOf = (xml: string): TextArea => {
  const areas: TextArea[] = []
  let size: { width: number; height: number } | undefined
  readXml(xml, {
    open: (local, attributes) => {
      const number = (name: string, otherwise: number) => Number(attributes.get(name) ?? otherwise) || otherwise
      if (local === 'pgSz') size = { width: number('w', 11_906), height: number('h', 16_838) }
      if (local !== 'pgMar' || !size) return
      areas.push({
        width: size.width - number('left', 1_440) - number('right', 1_440),
        height: size.height - Math.abs(number('top', 1_440)) - Math.abs(number('bottom', 1_440)),
      })
    },
  })
  const usable = areas.filter(({ width, height }) => width > 1_000 && height > 1_000)
  return usable.toSorted((a, b) => a.width - b.width)[0] ?? DEFAULT
}

/** Elements of `settings.xml` that follow `w:updateFields`. */
const AFTER = [
  '<w:hdrShapeDefaults',
  '<w:footnotePr',
  '<w:endnotePr',
  '<w:compat>',
  '<w:compat/>',
  '<w:docVars',
  '<w:rsids',
  '<m:mathPr',
  '<w:attachedSchema',
  '<w:themeFontLang',
  '<w:clrSchemeMapping',
  '<w:doNotIncludeSubdocsInStats',
  '<w:shapeDefaults',
  '<w:decimalSymbol',
  '<w:listSeparator',
  '</w:settings>',
]

/** Word renews the table of contents when it opens the document: only it knows the pages. */
export const markForUpdate = (settings: string): string => {
  if (settings.includes('<w:updateFields')) return settings
  const at = Math.min(...AFTER.map((name) => settings.indexOf(name)).filter((index) => index !== -1))
  return Number.isFinite(at) ? `${settings.slice(0, at)}<w:updateFields w:val="true"/>${settings.slice(at)}` : settings
}
