import { zipOf } from '../inputs/zip.ts'

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** A paragraph of Word; Word often splits a tag over several runs. */
export const p = (words: string | readonly string[], style?: string): string => {
  const runs = [words].flat().map((each) => `<w:r><w:t xml:space="preserve">${escaped(each)}</w:t></w:r>`)
  return `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${runs.join('')}</w:p>`
}

/** A row of cells with a paragraph each. */
export const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${cell}</w:tc>`).join('')}</w:tr>`

export const table = (...rows: readonly string[]): string =>
  `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${rows.join('')}</w:tbl>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const style = (id: string, name: string, more = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`

/** The styles of a German Word: their names are English, their ids are not. */
export const GERMAN_STYLES = [
  style('Standard', 'Normal'),
  style('berschrift1', 'heading 1'),
  style('berschrift2', 'heading 2'),
  style('berschrift3', 'heading 3'),
  style('Aufzhlungszeichen', 'List Bullet'),
  style('Listennummer', 'List Number'),
  style('Beschriftung', 'caption'),
  style('Textkrper', 'Body Text'),
].join('')

export interface WordFile {
  /** Paragraphs and tables. */
  body: string
  styles?: string
  /** Parts that are added, or take the place of others. */
  parts?: Readonly<Record<string, string>>
  /** Relations of the document. */
  relations?: string
  /** Entries of the list of content types. */
  types?: string
}

/** A Word document as its parts. */
export const wordParts = ({
  body,
  styles = GERMAN_STYLES,
  parts = {},
  relations = '',
  types = '',
}: WordFile): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/word/settings.xml" ContentType="${TYPE}.settings+xml"/>${types}</Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${R}/officeDocument" Target="word/document.xml"/></Relationships>`,
  'word/document.xml': `<w:document xmlns:w="${W}" xmlns:r="${R}"><w:body>${body}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`,
  'word/styles.xml': `<w:styles xmlns:w="${W}">${styles}</w:styles>`,
  'word/settings.xml': `<w:settings xmlns:w="${W}"><w:compat/></w:settings>`,
  'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${R}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${R}/settings" Target="settings.xml"/>${relations}</Relationships>`,
  ...parts,
})

export const wordFile = (file: WordFile): Buffer => zipOf(wordParts(file))

/** A field of Word over three runs. */
export const fieldXml = (code: string): string =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>result</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`

/** A template as PwnDoc's users write it. */
export const pwndocTemplate = (): Buffer =>
  wordFile({
    body: [
      p('{name}', 'berschrift1'),
      p(['{company.', 'name} from {date_start} to {date_end}']),
      p('{#collaborators}{firstname} {lastname}, {/collaborators}'),
      table(
        row(p('ID'), p('Title'), p('Severity')),
        row(
          p('{#findings | sort:\u2018identifier\u2019}{identifier}'),
          p('{title | upper}'),
          p('{@cvss.cellColor}') + p('{cvss.baseSeverity}{/}'),
        ),
      ),
      p('{#findings}'),
      p('{title}', 'berschrift2'),
      p('Score {cvss.baseMetricScore}, vector {cvss.vectorString}'),
      p('{@description | convertHTML}', 'Textkrper'),
      p('Proof', 'berschrift3'),
      p('{@poc | convertHTML}'),
      p('{-w:p references}{.}{/references}'),
      p('{/findings}'),
      p('{findings | count:"Critical"} critical of {findings | length}'),
    ].join(''),
  })

/** A template as AttackForge's users write it. */
export const attackforgeTemplate = (): Buffer =>
  wordFile({
    body: [
      p('{projectName} for {customer}', 'berschrift1'),
      p('{@executiveSummary}'),
      p('{^vulnerabilities}'),
      p('Nothing was found.'),
      p('{/vulnerabilities}'),
      p('{#vulnerabilities}'),
      p('{title} ({priority})', 'berschrift2'),
      p('{@description}'),
      p('{@attack_scenario}'),
      p('{@remediation_recommendation}'),
      p('{#affected_assets}{asset}: {status}{/affected_assets}'),
      p('{@steps_to_reproduce}'),
      p('{/vulnerabilities}'),
    ].join(''),
  })
