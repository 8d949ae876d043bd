import type { DesignValue } from '@sortie/contract/reports/report-data.ts'
import type { Parts } from '../package/read-zip.ts'
import { numberingXml, stylesXml } from './styles-xml.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const NAMESPACES = `xmlns:w="${W}" xmlns:r="${R}"`
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** Twentieths of a point. */
const PAPER = { a4: [11_906, 16_838], letter: [12_240, 15_840] } as const
const MARGIN = 1_276
const HEADER = 624

const text = (words: string): string => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`
const tab = '<w:r><w:tab/></w:r>'
const p = (style: string, content: string, more = ''): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${more}</w:pPr>${content}</w:p>`
/** A tag in a paragraph of its own, which vanishes. */
const only = (tag: string): string => `<w:p>${text(tag)}</w:p>`
const simpleField = (code: string): string => `<w:fldSimple w:instr=" ${code} ">${text('1')}</w:fldSimple>`
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'

/** A row of the cover: it vanishes if the value is empty. */
const fact = (label: string, value: string, condition: string): string => {
  const cell = (width: number, content: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${content}</w:tc>`
  const name = p(
    'TableText',
    `<w:r><w:rPr><w:color w:val="5B6472"/></w:rPr><w:t xml:space="preserve">{#${condition}}{labels.${label}}</w:t></w:r>`,
  )
  return `<w:tr>${cell(2_600, name)}${cell(6_754, p('TableText', text(`{${value}}{/${condition}}`)))}</w:tr>`
}

const cover = (): string => {
  const facts = [
    fact('client', 'client.name', 'client.name'),
    fact('engagement', 'engagement.name', 'engagement.name'),
    fact('period', 'engagement.period', 'engagement.period'),
    fact('version', 'report.version', 'report.version'),
    fact('date', 'report.dateText', 'report.dateText'),
    fact('authors', 'report.authors', 'report.authors.length'),
    fact('approvedBy', 'report.approvedBy', 'report.approvedBy'),
    fact('classification', 'design.classificationLabel', 'design.classificationLabel'),
  ].join('')
  return [
    only('{#logo}'),
    `<w:p>${text('{%logo}')}</w:p>`,
    only('{/logo}'),
    p('Eyebrow', text('{organization.name}'), '<w:spacing w:before="3400" w:after="200"/>'),
    p('Title', text('{design.cover.title}')),
    p('Subtitle', text('{design.cover.subtitle || client.name}')),
    `<w:tbl><w:tblPr><w:tblStyle w:val="ReportTable"/><w:tblW w:w="9354" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0400" w:firstRow="0" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid><w:gridCol w:w="2600"/><w:gridCol w:w="6754"/></w:tblGrid>${facts}</w:tbl>`,
    only('{#design.cover.note}'),
    p('Normal', text('{design.cover.note}'), '<w:spacing w:before="480"/>'),
    only('{/design.cover.note}'),
    pageBreak,
  ].join('')
}

const contents = (): string => {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const instruction = '<w:r><w:instrText xml:space="preserve"> TOC \\o "1-2" \\h \\z \\u </w:instrText></w:r>'
  return [
    only('{#design.tableOfContents}'),
    p('TOCHeading', text('{labels.contents}')),
    p('TOC1', mark('begin') + instruction + mark('separate') + mark('end')),
    pageBreak,
    only('{/design.tableOfContents}'),
  ].join('')
}

const sections = (): string =>
  [
    only('{#sections}'),
    only('{#title}'),
    p('Heading1', text('{#number}{number}') + tab + text('{/number}{title}')),
    only('{/title}'),
    `<w:p>${text('{@blocks}')}</w:p>`,
    only('{/sections}'),
  ].join('')

const documentXml = ({ paper }: DesignValue): string => {
  const [width, height] = PAPER[paper]
  const section = `<w:sectPr><w:headerReference w:type="default" r:id="rId3"/><w:headerReference w:type="first" r:id="rId5"/><w:footerReference w:type="default" r:id="rId4"/><w:footerReference w:type="first" r:id="rId6"/><w:pgSz w:w="${width}" w:h="${height}"/><w:pgMar w:top="1474" w:right="${MARGIN}" w:bottom="1361" w:left="${MARGIN}" w:header="${HEADER}" w:footer="${HEADER}" w:gutter="0"/><w:titlePg/></w:sectPr>`
  return `${DECLARATION}<w:document ${NAMESPACES}><w:body>${cover()}${contents()}${sections()}${section}</w:body></w:document>`
}

const header = (content: string): string => `${DECLARATION}<w:hdr ${NAMESPACES}>${content}</w:hdr>`
const footer = (content: string): string => `${DECLARATION}<w:ftr ${NAMESPACES}>${content}</w:ftr>`

const CONTENT_TYPES = `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${TYPES}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${TYPES}.numbering+xml"/><Override PartName="/word/settings.xml" ContentType="${TYPES}.settings+xml"/><Override PartName="/word/header1.xml" ContentType="${TYPES}.header+xml"/><Override PartName="/word/header2.xml" ContentType="${TYPES}.header+xml"/><Override PartName="/word/footer1.xml" ContentType="${TYPES}.footer+xml"/><Override PartName="/word/footer2.xml" ContentType="${TYPES}.footer+xml"/></Types>`

const relations = (list: readonly [id: string, type: string, target: string][]): string => {
  const items = list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
  return `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`
}

const encoder = new TextEncoder()

/** The Word template that corresponds to the template *Standard*, in the paper, colors and fonts of the design. */
export const builtInTemplate = (design: DesignValue): Parts => {
  const parts: Record<string, string> = {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': relations([
      ['rId1', `${R}/officeDocument`, 'word/document.xml'],
      [
        'rId2',
        'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
        'docProps/core.xml',
      ],
    ]),
    'word/_rels/document.xml.rels': relations([
      ['rId1', `${R}/styles`, 'styles.xml'],
      ['rId2', `${R}/numbering`, 'numbering.xml'],
      ['rId3', `${R}/header`, 'header1.xml'],
      ['rId4', `${R}/footer`, 'footer1.xml'],
      ['rId5', `${R}/header`, 'header2.xml'],
      ['rId6', `${R}/footer`, 'footer2.xml'],
      ['rId7', `${R}/settings`, 'settings.xml'],
    ]),
    'word/document.xml': documentXml(design),
    'word/styles.xml': stylesXml(design),
    'word/numbering.xml': numberingXml(),
    'word/settings.xml': `${DECLARATION}<w:settings xmlns:w="${W}"><w:defaultTabStop w:val="567"/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
    'word/header1.xml': header(
      p('Header', text('{design.header || report.title}') + tab + text('{design.classificationLabel}')),
    ),
    'word/header2.xml': header(p('Header', '')),
    'word/footer1.xml': footer(
      p(
        'Footer',
        text('{design.footer || organization.name}') +
          tab +
          simpleField('PAGE') +
          text(' / ') +
          simpleField('NUMPAGES'),
      ),
    ),
    'word/footer2.xml': footer('<w:p><w:pPr><w:pStyle w:val="Header"/></w:pPr></w:p>'),
  }
  return new Map(Object.entries(parts).map(([name, xml]) => [name, encoder.encode(xml)]))
}
