import PizZip from 'pizzip'
import type { Parts } from './read-zip.ts'

/** Local time: the format has no time zone, so that the bytes are the same everywhere. */
const FIXED_DATE = new Date(1980, 0, 1, 0, 0, 0)

/** Word reads the list of content types and the relations first. */
const FIRST = ['[Content_Types].xml', '_rels/.rels']

/** A ZIP archive in memory for docxtemplater. */
export const toArchive = (parts: Parts): PizZip => {
  const zip = new PizZip()
  for (const [name, bytes] of parts) zip.file(name, bytes, { date: FIXED_DATE, createFolders: false })
  return zip
}

/** Packs parts in a fixed order with fixed dates: equal parts give equal bytes. */
export const writeZip = (parts: Parts): Uint8Array => {
  const names = [...parts.keys()].filter((name) => !FIRST.includes(name)).toSorted()
  const zip = new PizZip()
  for (const name of [...FIRST, ...names]) {
    const bytes = parts.get(name)
    if (bytes) zip.file(name, bytes, { date: FIXED_DATE, createFolders: false })
  }
  return zip.generate({ type: 'uint8array', compression: 'DEFLATE', platform: 'DOS' })
}
