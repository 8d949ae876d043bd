import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { ReportDocument, WriterProblem, WrittenFile } from '../report-document.ts'
import { type Ids, resolveMarks } from './body/anchors.ts'
import type { Body } from './body/body.ts'
import { readNumbering } from './body/numbering.ts'
import { addPartType, addRelation, openLinks, openPictures, setTextPart, textPart } from './body/relations.ts'
import { readStyles } from './body/styles.ts'
import { builtInTemplate } from './built-in/built-in-template.ts'
import { DocxRefusal, openDocx } from './package/open-docx.ts'
import type { Parts } from './package/read-zip.ts'
import { writeZip } from './package/write-zip.ts'
import { escapeXml } from './package/xml.ts'
import { labelIn } from './scope/labels.ts'
import { scopeOf } from './scope/scope.ts'
import { fillContents, hasContents } from './template/contents.ts'
import { markForUpdate, textAreaOf } from './template/page.ts'
import type { TemplateProblem } from './template/problems.ts'
import { isTemplated, renderTags } from './template/render.ts'
import { type Tag, tagsIn } from './template/tags.ts'
import { addWatermark } from './template/watermark.ts'

const DOCUMENT = 'word/document.xml'
const STYLES = 'word/styles.xml'
const NUMBERING = 'word/numbering.xml'
const SETTINGS = 'word/settings.xml'
const CORE = 'docProps/core.xml'
const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** A template cannot be filled: all of its problems. */
export class BadTemplate extends Error {
  readonly problems: readonly TemplateProblem[]

  constructor(problems: readonly TemplateProblem[]) {
    super(problems.map(({ message }) => message).join(' '))
    this.problems = problems
  }
}

/**
 * Writes a report as a Word document. Equal input gives equal bytes; the result is read again before it is returned.
 *
 * @param template the firm's own; null for the built-in one
 * @throws BadTemplate with every problem of its structure, DocxRefusal for a file that is not a template
 */
export const writeDocx = (document: ReportDocument, template: Uint8Array | null): WrittenFile => {
  const { data } = document
  const parts = template === null ? builtInTemplate(data.design) : new Map(openDocx(template))
  const tags = prepare(parts)
  const body = openBody(parts, document)
  const problems = renderTags(parts, { body, scope: scopeOf(data), data }, tags)
  if (problems.length > 0) throw new BadTemplate(problems)
  finish(parts, body, data)
  const bytes = writeZip(parts)
  requireReadable(bytes)
  return { bytes, problems: body.problems }
}

/** Every tag of the template, and spaces that survive at the edges of values. */
const prepare = (parts: Parts): Tag[] => {
  const tags: Tag[] = []
  for (const name of [...parts.keys()].filter(isTemplated)) {
    const xml = textPart(parts, name) ?? ''
    setTextPart(parts, name, xml.replaceAll('<w:t>', '<w:t xml:space="preserve">'))
    tags.push(...tagsIn(name, xml).tags)
  }
  return tags
}

/** Far above the ids that Word gives. */
const FIRST_ID = 100_000

const openBody = (parts: Parts, document: ReportDocument): Body => {
  const problems: WriterProblem[] = []
  let last = FIRST_ID
  const ids: Ids = { next: () => ++last }
  return {
    document,
    styles: readStyles(textPart(parts, STYLES)),
    numbering: readNumbering(textPart(parts, NUMBERING)),
    links: openLinks(parts),
    pictures: openPictures(parts),
    ids,
    area: textAreaOf(textPart(parts, DOCUMENT) ?? ''),
    part: DOCUMENT,
    problems,
    label: (key) => labelIn(document.data.labels, key),
  }
}

const finish = (parts: Parts, { styles, numbering, ids }: Body, data: ReportDataValue): void => {
  for (const name of [...parts.keys()].filter(isTemplated))
    setTextPart(parts, name, uniquePictureIds(resolveMarks(textPart(parts, name) ?? '', ids), ids))
  const document = textPart(parts, DOCUMENT) ?? ''
  if (hasContents(document)) {
    setTextPart(parts, DOCUMENT, fillContents(document, styles, ids))
    const settings = textPart(parts, SETTINGS)
    if (settings !== undefined) setTextPart(parts, SETTINGS, markForUpdate(settings))
  }
  addNew(parts, STYLES, styles.xml(), 'styles')
  const lists = numbering.xml()
  if (lists !== undefined) addNew(parts, NUMBERING, lists, 'numbering')
  if (data.watermark !== null) addWatermark(parts, data.watermark)
  setTextPart(parts, CORE, coreProperties(data))
  addPartType(parts, CORE, 'application/vnd.openxmlformats-package.core-properties+xml')
}

/** Sets a part; a new one gets its type and its relation. */
const addNew = (parts: Parts, name: string, xml: string, kind: 'styles' | 'numbering'): void => {
  const isNew = !parts.has(name)
  setTextPart(parts, name, xml)
  if (!isNew) return
  addPartType(parts, name, `${WORD_TYPE}.${kind}+xml`)
  addRelation(parts, DOCUMENT, kind, `${kind}.xml`)
}

/** A loop repeats the pictures of a template with their ids, which must be unique. */
const uniquePictureIds = (xml: string, ids: Ids): string => {
  const [start = '', ...rest] = xml.split('<wp:docPr ')
  const seen = new Set<string>()
  const renumbered = rest.map((piece) => {
    const at = piece.indexOf('id="') + 'id="'.length
    const id = piece.slice(at, piece.indexOf('"', at))
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew ? piece : piece.slice(0, at) + String(ids.next()) + piece.slice(at + id.length)
  })
  return [start, ...renumbered].join('<wp:docPr ')
}

/** Word shows these as the properties of the file; the date is that of the report, not of the clock. */
const coreProperties = ({ report, language }: ReportDataValue): string => {
  const time = `${report.date}T00:00:00Z`
  const author = escapeXml(report.authors.join('; '))
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(report.title)}</dc:title><dc:creator>${author}</dc:creator><cp:lastModifiedBy>${author}</cp:lastModifiedBy><dcterms:created xsi:type="dcterms:W3CDTF">${time}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${time}</dcterms:modified><dc:language>${escapeXml(language)}</dc:language></cp:coreProperties>`
}

/** @throws Error if Word would not open the file */
const requireReadable = (bytes: Uint8Array): void => {
  try {
    openDocx(bytes)
  } catch (error) {
    if (error instanceof DocxRefusal) throw new Error('the written Word document cannot be read', { cause: error })
    throw error
  }
}
