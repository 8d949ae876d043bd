import { amass } from '../amass.ts'
import { burp } from '../burp.ts'
import { csv } from '../csv/csv.ts'
import { cyclonedx } from '../cyclonedx/cyclonedx.ts'
import { httpx } from '../httpx.ts'
import { masscan } from '../masscan.ts'
import { naabu } from '../naabu.ts'
import { nessus } from '../nessus.ts'
import { nmap } from '../nmap/nmap.ts'
import { nuclei } from '../nuclei.ts'
import { openvas } from '../openvas/openvas.ts'
import { sarif } from '../sarif/sarif.ts'
import { subfinder } from '../subfinder.ts'
import { tlsx } from '../tlsx.ts'
import { zap } from '../zap.ts'
import { type Format, type FormatId, type Head, UnreadableFile } from './format.ts'

/** All import formats. Each one recognises only its own files; CSV is less specific and comes last. */
export const FORMATS: readonly Format[] = [
  nmap,
  masscan,
  naabu,
  subfinder,
  amass,
  httpx,
  tlsx,
  nuclei,
  burp,
  nessus,
  zap,
  openvas,
  sarif,
  cyclonedx,
  csv,
]

/** Returns the format that the start of the file matches so far. */
export const findFormat = (head: Head, named: FormatId | 'auto'): Format | undefined =>
  FORMATS.find((format) => (named === 'auto' || format.id === named) && format.isIn(head))

/**
 * Detects the format of a file from its start. A format that the importer names is used only if the content matches it.
 *
 * @returns undefined for an empty file with a named format
 * @throws UnreadableFile with the criteria
 */
export const recognise = (head: Head, named: FormatId | 'auto'): Format | undefined => {
  if (head.shape === 'empty') {
    if (named === 'auto') throw new UnreadableFile('the file is empty, and no format is named')
    return undefined
  }
  const found = findFormat(head, named)
  if (found) return found
  const sought = FORMATS.filter(({ id }) => named === 'auto' || id === named).map(
    ({ id, recognisedBy }) => `${id} (${recognisedBy})`,
  )
  throw new UnreadableFile(`the file ${described(head)}, which matches no format: ${sought.join('; ')}`)
}

const described = (head: Exclude<Head, { shape: 'empty' }>): string => {
  if (head.shape === 'xml') return `is XML with the root ${head.root.slice(0, 100)}`
  if (head.shape === 'json') return `is JSON with the keys ${[...head.keys].slice(0, 12).join(', ').slice(0, 300)}`
  return `is text that begins with "${head.line.slice(0, 80)}"`
}
