import { addPartType, addRelation, setTextPart, textPart } from '../body/relations.ts'
import type { Parts } from '../package/read-zip.ts'
import { escapeXml } from '../package/xml.ts'

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const HEADER_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml'
const DOCUMENT = 'word/document.xml'

/** The shape that Word itself makes for a watermark. */
const shape = (text: string, id: number): string =>
  `<w:r><w:rPr><w:noProof/></w:rPr><w:pict xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800" path="m@7,l@8,m@5,21600l@6,21600e"><v:formulas><v:f eqn="sum #0 0 10800"/><v:f eqn="prod #0 2 1"/><v:f eqn="sum 21600 0 @1"/><v:f eqn="sum 0 0 @2"/><v:f eqn="sum 21600 0 @3"/><v:f eqn="if @0 @3 0"/><v:f eqn="if @0 21600 @1"/><v:f eqn="if @0 0 @2"/><v:f eqn="if @0 @4 21600"/></v:formulas><v:path textpathok="t" o:connecttype="custom" o:connectlocs="@9,0;@10,10800;@11,21600;@12,10800" o:connectangles="270,180,90,0"/><v:textpath on="t" fitshape="t"/></v:shapetype><v:shape id="PowerPlusWaterMarkObject${id}" o:spid="_x0000_s${2_000 + id}" type="#_x0000_t136" style="position:absolute;margin-left:0;margin-top:0;width:380pt;height:110pt;rotation:315;z-index:-251658752;mso-position-horizontal:center;mso-position-horizontal-relative:margin;mso-position-vertical:center;mso-position-vertical-relative:margin" o:allowincell="f" fillcolor="#e6e8ec" stroked="f"><v:fill opacity=".5"/><v:textpath style="font-family:&quot;Calibri&quot;;font-size:1pt" string="${escapeXml(text)}"/></v:shape></w:pict></w:r>`

/** Writes a word across each page: into every header, and into a new one where a section has none. */
export const addWatermark = (parts: Parts, text: string): void => {
  let id = 0
  for (const name of Array.from(parts.keys())) {
    if (!name.startsWith('word/header') || !name.endsWith('.xml')) continue
    const xml = textPart(parts, name) ?? ''
    setTextPart(parts, name, inFirstParagraph(xml, shape(text, ++id)))
  }
  const document = textPart(parts, DOCUMENT) ?? ''
  let relation: string | undefined
  const header = (): string => {
    if (relation !== undefined) return relation
    const name = 'word/headerDraft.xml'
    const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:hdr xmlns:w="${W}" xmlns:r="${R}"><w:p>${shape(text, ++id)}</w:p></w:hdr>`
    setTextPart(parts, name, xml)
    addPartType(parts, name, HEADER_TYPE)
    relation = addRelation(parts, DOCUMENT, 'header', 'headerDraft.xml')
    return relation
  }
  setTextPart(parts, DOCUMENT, withHeaders(document, header))
}

const inFirstParagraph = (xml: string, run: string): string => {
  const end = xml.indexOf('</w:p>')
  if (end !== -1) return xml.slice(0, end) + run + xml.slice(end)
  const close = xml.lastIndexOf('</w:hdr>')
  return `${xml.slice(0, close)}<w:p>${run}</w:p>${xml.slice(close)}`
}

/** The first section sets the headers of those that have none. */
const withHeaders = (document: string, header: () => string): string => {
  let result = ''
  let rest = document
  let isFirst = true
  for (;;) {
    const at = rest.indexOf('<w:sectPr')
    const end = at === -1 ? -1 : rest.indexOf('</w:sectPr>', at)
    if (end === -1) return result + rest
    const section = rest.slice(at, end)
    const start = section.indexOf('>') + 1
    const reference = (type: string) => `<w:headerReference w:type="${type}" r:id="${header()}" xmlns:r="${R}"/>`
    const references = section
      .split('<w:headerReference')
      .slice(1)
      .map((each) => each.slice(0, each.indexOf('>')))
    const has = (type: string) => references.some((each) => each.includes(`w:type="${type}"`))
    const added = [
      ...(isFirst && !has('default') ? [reference('default')] : []),
      ...(section.includes('<w:titlePg') && !has('first') ? [reference('first')] : []),
    ]
    result += rest.slice(0, at) + section.slice(0, start) + added.join('') + section.slice(start)
    rest = rest.slice(end)
    isFirst = false
  }
}
