import type { ImageValue } from '@sortie/contract/reports/report-data.ts'
import type { Parts } from '../package/read-zip.ts'
import { escapeXml, readXml } from '../package/xml.ts'

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CONTENT_TYPES = '[Content_Types].xml'
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What Word shows everywhere. Others have no place in a document of Office Open XML. */
const EXTENSIONS: Partial<Record<ImageValue['mediaType'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
}

export const isShownByWord = (mediaType: ImageValue['mediaType']): boolean => EXTENSIONS[mediaType] !== undefined

export const textPart = (parts: Parts, name: string): string | undefined => {
  const bytes = parts.get(name)
  return bytes && decoder.decode(bytes)
}

export const setTextPart = (parts: Parts, name: string, xml: string): void => {
  parts.set(name, encoder.encode(xml))
}

/** `word/document.xml` → `word/_rels/document.xml.rels` */
const relationsOf = (part: string): string => {
  const slash = part.lastIndexOf('/') + 1
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
}

/** Adds a relation to a part. @returns its id */
export const addRelation = (parts: Parts, part: string, type: string, target: string, isExternal = false): string => {
  const name = relationsOf(part)
  const xml =
    textPart(parts, name) ??
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${RELATIONSHIPS}"></Relationships>`
  const ids = new Set<string>()
  readXml(xml, {
    open: (local, attributes) => {
      if (local === 'Relationship') ids.add(attributes.get('Id') ?? '')
    },
  })
  let number = ids.size + 1
  while (ids.has(`rIdS${number}`)) number++
  const id = `rIdS${number}`
  const mode = isExternal ? ' TargetMode="External"' : ''
  const relation = `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${escapeXml(target)}"${mode}/>`
  setTextPart(parts, name, insertAtEnd(xml, 'Relationships', relation))
  return id
}

const insertAtEnd = (xml: string, root: string, added: string): string => {
  const end = xml.lastIndexOf(`</${root}>`)
  if (end !== -1) return xml.slice(0, end) + added + xml.slice(end)
  const close = xml.lastIndexOf('/>')
  return `${xml.slice(0, close)}>${added}</${root}>`
}

/** Declares the type of a part that is new. */
export const addPartType = (parts: Parts, name: string, type: string): void => {
  const xml = textPart(parts, CONTENT_TYPES) ?? ''
  if (xml.includes(`"/${name}"`)) return
  setTextPart(parts, CONTENT_TYPES, insertAtEnd(xml, 'Types', `<Override PartName="/${name}" ContentType="${type}"/>`))
}

const addExtension = (parts: Parts, extension: string, type: string): void => {
  const xml = textPart(parts, CONTENT_TYPES) ?? ''
  if (xml.toLowerCase().includes(`extension="${extension}"`)) return
  const start = xml.indexOf('>', xml.indexOf('<Types')) + 1
  const added = `<Default Extension="${extension}" ContentType="${type}"/>`
  setTextPart(parts, CONTENT_TYPES, xml.slice(0, start) + added + xml.slice(start))
}

/** Links and pictures of the document: parts have relations of their own, bytes are stored once. */
export interface Links {
  /** @returns undefined for an address that is not a link */
  add(part: string, href: string): string | undefined
}

const SCHEMES = ['http:', 'https:', 'mailto:']
const MAX_HREF = 2_000

/** Word refuses a target that is not a URI: what is not encoded gets encoded. */
const targetOf = (href: string): string | undefined => {
  const url = URL.parse(href.trim())
  return url && SCHEMES.includes(url.protocol) && url.href.length <= MAX_HREF ? url.href : undefined
}

export const openLinks = (parts: Parts): Links => {
  const known = new Map<string, string>()
  return {
    add: (part, href) => {
      const target = targetOf(href)
      if (target === undefined) return undefined
      const key = `${part} ${target}`
      const id = known.get(key) ?? addRelation(parts, part, 'hyperlink', target, true)
      known.set(key, id)
      return id
    },
  }
}

export interface Pictures {
  /** @returns the id of the relation of the part */
  add(part: string, key: string, mediaType: ImageValue['mediaType'], bytes: Uint8Array): string
}

export const openPictures = (parts: Parts): Pictures => {
  const names = new Map<string, string>()
  const known = new Map<string, string>()
  return {
    add: (part, key, mediaType, bytes) => {
      const extension = EXTENSIONS[mediaType] ?? 'png'
      const name = names.get(key) ?? `media/report${names.size + 1}.${extension}`
      if (!names.has(key)) {
        names.set(key, name)
        parts.set(`word/${name}`, bytes)
        addExtension(parts, extension, mediaType)
      }
      const place = `${part} ${key}`
      const id = known.get(place) ?? addRelation(parts, part, 'image', name)
      known.set(place, id)
      return id
    },
  }
}
