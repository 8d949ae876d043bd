import { fieldReader, refusedField } from './fields.ts'
import { BadZip, type Parts, readZip, ZipTooLarge } from './read-zip.ts'
import { BrokenXml, readXml } from './xml.ts'

/** Why a file is refused as a Word template, in a sentence for its owner. */
export class DocxRefusal extends Error {}

export const NOT_WORD = 'This is not a Word document (.docx).'
export const MACROS = 'This file has macros: save it as .docx without them.'
export const EXTERNAL = 'This file refers to other files or addresses: remove the links to external data.'
const EMBEDDED = 'This file contains embedded objects (OLE, ActiveX): insert them as pictures.'
const CHUNK = 'This file contains another document (altChunk): insert its text instead.'
const TOO_LARGE = 'This file unpacks to more than 200 MB, or has more than 2,000 parts.'

const DOCUMENT = 'word/document.xml'
const CONTENT_TYPES = '[Content_Types].xml'
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Opens a Word document and refuses what a template may not contain: anything that runs, reads other files, or asks a
 * server when the document is opened.
 *
 * @throws DocxRefusal
 */
export const openDocx = (bytes: Uint8Array): Parts => {
  const parts = unpacked(bytes)
  const types = parts.get(CONTENT_TYPES)
  const document = parts.get(DOCUMENT)
  if (!types || !document) throw new DocxRefusal(NOT_WORD)
  for (const name of parts.keys()) requireHarmlessName(name)
  readPart(CONTENT_TYPES, textOf(types), {
    open: (local, attributes) => requireHarmlessType(local, attributes),
  })
  for (const [name, content] of parts) {
    if (name.endsWith('.rels')) checkRelations(name, textOf(content))
    else if (name.endsWith('.xml') && name !== CONTENT_TYPES) checkPart(name, textOf(content))
  }
  return parts
}

const unpacked = (bytes: Uint8Array): Parts => {
  try {
    return readZip(bytes)
  } catch (error) {
    if (error instanceof ZipTooLarge) throw new DocxRefusal(TOO_LARGE)
    if (error instanceof BadZip) throw new DocxRefusal(NOT_WORD)
    throw error
  }
}

const textOf = (bytes: Uint8Array): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new DocxRefusal('A part of this file is not UTF-8: save it again with Word.')
  }
}

const readPart = (name: string, xml: string, watcher: Parameters<typeof readXml>[1]): void => {
  try {
    readXml(xml, watcher)
  } catch (error) {
    if (error instanceof BrokenXml) throw new DocxRefusal(`The part ${name} of this file is damaged: ${error.message}`)
    throw error
  }
}

const requireHarmlessName = (name: string): void => {
  const lower = name.toLowerCase()
  if (lower.includes('vbaproject') || lower.includes('vbadata')) throw new DocxRefusal(MACROS)
  if (lower.includes('/embeddings/') || lower.includes('/activex/')) throw new DocxRefusal(EMBEDDED)
}

const requireHarmlessType = (local: string, attributes: ReadonlyMap<string, string>): void => {
  const type = (attributes.get('ContentType') ?? '').toLowerCase()
  if (type.includes('macroenabled') || type.includes('vbaproject')) throw new DocxRefusal(MACROS)
  if (type.includes('oleobject') || type.includes('activex')) throw new DocxRefusal(EMBEDDED)
  const isDocument = attributes.get('PartName')?.toLowerCase() === `/${DOCUMENT}`
  if (local === 'Override' && isDocument && type !== MAIN_TYPE.toLowerCase()) throw new DocxRefusal(NOT_WORD)
}

const EMBEDDING = ['oleobject', 'package', 'control', 'activexcontrolbinary', 'vbaproject']
const LINK_SCHEMES = ['http:', 'https:', 'mailto:']

const checkRelations = (name: string, xml: string): void =>
  readPart(name, xml, {
    open: (local, attributes) => {
      if (local !== 'Relationship') return
      const type = (attributes.get('Type') ?? '').split('/').at(-1)?.toLowerCase() ?? ''
      if (type === 'afchunk') throw new DocxRefusal(CHUNK)
      if (EMBEDDING.includes(type)) throw new DocxRefusal(type === 'vbaproject' ? MACROS : EMBEDDED)
      if (['attachedtemplate', 'subdocument', 'frame', 'mailmergesource'].includes(type))
        throw new DocxRefusal(EXTERNAL)
      if (attributes.get('TargetMode')?.toLowerCase() !== 'external') return
      const target = (attributes.get('Target') ?? '').trim().toLowerCase()
      const isLink = type === 'hyperlink' && LINK_SCHEMES.some((scheme) => target.startsWith(scheme))
      if (!isLink) throw new DocxRefusal(EXTERNAL)
    },
  })

const checkPart = (name: string, xml: string): void => {
  let isInstruction = false
  let root = true
  const fields = fieldReader((code) => requireHarmlessField(code))
  readPart(name, xml, {
    open: (local, attributes, tag) => {
      if (root && name === DOCUMENT && (tag.uri !== WORD || tag.prefix !== 'w'))
        throw new DocxRefusal(
          'This file is of another kind than usual Word documents: save it again as .docx with Word.',
        )
      root = false
      if (local === 'altChunk') throw new DocxRefusal(CHUNK)
      if (['OLEObject', 'object', 'control', 'objectEmbed', 'objectLink'].includes(local))
        throw new DocxRefusal(EMBEDDED)
      if (['attachedTemplate', 'subDoc', 'frameset', 'mailMerge', 'saveThroughXslt', 'movie'].includes(local))
        throw new DocxRefusal(EXTERNAL)
      if (local === 'instrText' || local === 'delInstrText') isInstruction = true
      if (local === 'fldChar') fields.mark(attributes.get('fldCharType'))
      if (local === 'fldSimple') requireHarmlessField(attributes.get('instr') ?? '')
    },
    close: (local) => {
      if (local === 'instrText' || local === 'delInstrText') isInstruction = false
    },
    text: (text) => {
      if (isInstruction) fields.text(text)
    },
  })
  fields.end()
}

const requireHarmlessField = (code: string): void => {
  const kind = refusedField(code)
  if (kind === undefined) return
  const field = kind === 'nested' ? 'a field whose kind another field makes' : `the field ${kind.slice(0, 40)}`
  throw new DocxRefusal(`This file has ${field}, which can run programs or read other files: remove it.`)
}
