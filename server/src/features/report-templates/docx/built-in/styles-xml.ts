import type { DesignValue } from '@sortie/contract/reports/report-data.ts'
import { escapeXml } from '../package/xml.ts'

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const INK = '1F2430'
const MUTED = '5B6472'
const LINE = 'D5D9E0'
const SOFT = 'F4F5F8'

/** Sizes are in half-points, spaces in twentieths of a point. */
interface StyleForm {
  id: string
  name: string
  based?: string
  next?: string
  p?: string
  r?: string
  kind?: 'paragraph' | 'character'
}

const styleXml = ({ id, name, based = 'Normal', next, p = '', r = '', kind = 'paragraph' }: StyleForm): string =>
  `<w:style w:type="${kind}" w:styleId="${id}"><w:name w:val="${name}"/>${kind === 'paragraph' ? `<w:basedOn w:val="${based}"/>` : ''}${next === undefined ? '' : `<w:next w:val="${next}"/>`}<w:qFormat/>${p === '' ? '' : `<w:pPr>${p}</w:pPr>`}${r === '' ? '' : `<w:rPr>${r}</w:rPr>`}</w:style>`

const fontXml = (name: string): string => {
  const font = escapeXml(name)
  return `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/>`
}

const spacing = (before: number, after: number, line?: number): string =>
  `<w:spacing w:before="${before}" w:after="${after}"${line === undefined ? '' : ` w:line="${line}" w:lineRule="auto"`}/>`

/** Styles of the built-in template, in the colors and fonts of the design. */
export const stylesXml = ({ accent, fonts }: DesignValue): string => {
  const color = accent.replace('#', '').toUpperCase()
  const [body, heading, code] = [fonts.body, fonts.heading, fonts.code].map(fontXml)
  const headings = [
    { size: 34, before: 480, after: 160, color },
    { size: 27, before: 360, after: 100, color: INK },
    { size: 23, before: 260, after: 80, color: INK },
    { size: 21, before: 220, after: 60, color: MUTED },
    { size: 20, before: 200, after: 60, color: MUTED },
    { size: 20, before: 200, after: 60, color: MUTED },
  ].map((form, index) =>
    styleXml({
      id: `Heading${index + 1}`,
      name: `heading ${index + 1}`,
      next: 'Normal',
      p: `<w:keepNext/><w:keepLines/>${index === 0 ? '<w:tabs><w:tab w:val="left" w:pos="567"/></w:tabs>' : ''}${spacing(form.before, form.after)}<w:outlineLvl w:val="${index}"/>`,
      r: `${heading}<w:b/><w:bCs/><w:color w:val="${form.color}"/><w:sz w:val="${form.size}"/><w:szCs w:val="${form.size}"/>`,
    }),
  )
  const lists = ['', ' 2', ' 3', ' 4', ' 5'].flatMap((suffix, depth) => {
    const id = suffix.trim()
    const list = (numId: number) =>
      `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${numId}"/></w:numPr>${spacing(0, 60)}<w:contextualSpacing/>`
    return [
      styleXml({ id: `ListBullet${id}`, name: `List Bullet${suffix}`, p: list(1) }),
      styleXml({ id: `ListNumber${id}`, name: `List Number${suffix}`, p: list(2) }),
      styleXml({
        id: `ListContinue${id}`,
        name: `List Continue${suffix}`,
        p: `${spacing(0, 80)}<w:ind w:left="${360 * (depth + 1)}"/>`,
      }),
    ]
  })
  const contents = [1, 2, 3].map((level) =>
    styleXml({
      id: `TOC${level}`,
      name: `toc ${level}`,
      p: `<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9354"/></w:tabs>${spacing(level === 1 ? 140 : 20, 20)}<w:ind w:left="${(level - 1) * 284}" w:right="567"/>`,
      r: level === 1 ? '<w:b/><w:bCs/>' : `<w:color w:val="${MUTED}"/>`,
    }),
  )
  const others = [
    styleXml({
      id: 'Title',
      name: 'Title',
      p: `${spacing(0, 160)}<w:contextualSpacing/>`,
      r: `${heading}<w:b/><w:bCs/><w:color w:val="${INK}"/><w:sz w:val="60"/><w:szCs w:val="60"/>`,
    }),
    styleXml({
      id: 'Subtitle',
      name: 'Subtitle',
      p: spacing(0, 480),
      r: `<w:color w:val="${MUTED}"/><w:sz w:val="30"/><w:szCs w:val="30"/>`,
    }),
    styleXml({
      id: 'Eyebrow',
      name: 'Eyebrow',
      p: spacing(0, 200),
      r: `<w:b/><w:bCs/><w:caps/><w:color w:val="${color}"/><w:spacing w:val="30"/><w:sz w:val="19"/><w:szCs w:val="19"/>`,
    }),
    styleXml({
      id: 'TOCHeading',
      name: 'TOC Heading',
      p: `<w:keepNext/>${spacing(0, 240)}`,
      r: `${heading}<w:b/><w:bCs/><w:color w:val="${color}"/><w:sz w:val="34"/><w:szCs w:val="34"/>`,
    }),
    styleXml({
      id: 'Caption',
      name: 'caption',
      p: `<w:keepLines/>${spacing(80, 200)}`,
      r: `<w:color w:val="${MUTED}"/><w:sz w:val="18"/><w:szCs w:val="18"/>`,
    }),
    styleXml({
      id: 'Code',
      name: 'Code',
      p: `<w:pBdr><w:top w:val="single" w:sz="4" w:space="5" w:color="${LINE}"/><w:left w:val="single" w:sz="4" w:space="6" w:color="${LINE}"/><w:bottom w:val="single" w:sz="4" w:space="5" w:color="${LINE}"/><w:right w:val="single" w:sz="4" w:space="6" w:color="${LINE}"/></w:pBdr><w:shd w:val="clear" w:color="auto" w:fill="${SOFT}"/>${spacing(120, 200, 250)}<w:ind w:left="142" w:right="142"/>`,
      r: `${code}<w:noProof/><w:sz w:val="17"/><w:szCs w:val="17"/>`,
    }),
    styleXml({
      id: 'Callout',
      name: 'Callout',
      p: `<w:pBdr><w:left w:val="single" w:sz="24" w:space="10" w:color="${color}"/></w:pBdr><w:shd w:val="clear" w:color="auto" w:fill="${SOFT}"/>${spacing(140, 200)}<w:ind w:left="284" w:right="142"/><w:contextualSpacing/>`,
    }),
    styleXml({
      id: 'Quote',
      name: 'Quote',
      p: `<w:pBdr><w:left w:val="single" w:sz="12" w:space="10" w:color="${LINE}"/></w:pBdr>${spacing(80, 160)}<w:ind w:left="284"/>`,
      r: `<w:color w:val="${MUTED}"/>`,
    }),
    styleXml({
      id: 'TableText',
      name: 'Table Text',
      p: spacing(50, 50, 252),
      r: '<w:sz w:val="19"/><w:szCs w:val="19"/>',
    }),
    styleXml({
      id: 'Header',
      name: 'header',
      p: `<w:tabs><w:tab w:val="right" w:pos="9354"/></w:tabs>${spacing(0, 0)}`,
      r: `<w:color w:val="${MUTED}"/><w:sz w:val="17"/><w:szCs w:val="17"/>`,
    }),
    styleXml({
      id: 'Footer',
      name: 'footer',
      p: `<w:pBdr><w:top w:val="single" w:sz="4" w:space="8" w:color="${LINE}"/></w:pBdr><w:tabs><w:tab w:val="right" w:pos="9354"/></w:tabs>${spacing(0, 0)}`,
      r: `<w:color w:val="${MUTED}"/><w:sz w:val="17"/><w:szCs w:val="17"/>`,
    }),
    styleXml({ id: 'Strong', name: 'Strong', kind: 'character', r: '<w:b/><w:bCs/>' }),
    styleXml({ id: 'Emphasis', name: 'Emphasis', kind: 'character', r: '<w:i/><w:iCs/>' }),
    styleXml({
      id: 'HTMLCode',
      name: 'HTML Code',
      kind: 'character',
      r: `${code}<w:noProof/><w:sz w:val="19"/><w:shd w:val="clear" w:color="auto" w:fill="${SOFT}"/>`,
    }),
    styleXml({
      id: 'Hyperlink',
      name: 'Hyperlink',
      kind: 'character',
      r: `<w:color w:val="${color}"/><w:u w:val="single"/>`,
    }),
  ]
  const side = (name: string) => `<w:${name} w:val="single" w:sz="4" w:space="0" w:color="${LINE}"/>`
  const table = `<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:left w:w="108" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style><w:style w:type="table" w:styleId="ReportTable"><w:name w:val="Report Table"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>${['top', 'bottom', 'insideH'].map(side).join('')}</w:tblBorders><w:tblCellMar><w:top w:w="28" w:type="dxa"/><w:left w:w="100" w:type="dxa"/><w:bottom w:w="28" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:bCs/><w:color w:val="${INK}"/></w:rPr><w:tcPr><w:tcBorders><w:bottom w:val="single" w:sz="8" w:space="0" w:color="${color}"/></w:tcBorders><w:shd w:val="clear" w:color="auto" w:fill="${SOFT}"/></w:tcPr></w:tblStylePr></w:style>`
  const defaults = `<w:docDefaults><w:rPrDefault><w:rPr>${body}<w:color w:val="${INK}"/><w:sz w:val="21"/><w:szCs w:val="21"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>${spacing(0, 140, 283)}</w:pPr></w:pPrDefault></w:docDefaults>`
  const normal =
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>'
  const all = [...headings, ...lists, ...contents, ...others].join('')
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:styles xmlns:w="${W}">${defaults}${normal}${all}${table}</w:styles>`
}

const BULLETS = ['•', '–', '▪']
const NUMBERS = ['decimal', 'lowerLetter', 'lowerRoman']

/** The lists of the styles: 1 has bullets, 2 has numbers. */
export const numberingXml = (): string => {
  const levels = (isBullet: boolean) =>
    Array.from({ length: 9 }, (_, level) => {
      const text = isBullet ? (BULLETS[level % 3] ?? '•') : `%${level + 1}.`
      const format = isBullet ? 'bullet' : (NUMBERS[level % 3] ?? 'decimal')
      const style =
        level < 5 ? `<w:pStyle w:val="${isBullet ? 'ListBullet' : 'ListNumber'}${level === 0 ? '' : level + 1}"/>` : ''
      return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${style}<w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${360 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`
    }).join('')
  const abstract = (id: number, isBullet: boolean) =>
    `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels(isBullet)}</w:abstractNum>`
  const num = (id: number) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${W}">${abstract(1, true)}${abstract(2, false)}${num(1)}${num(2)}</w:numbering>`
}
