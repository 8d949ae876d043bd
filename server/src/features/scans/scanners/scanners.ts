import Value from 'typebox/value'
import { dns } from './names/dns.ts'
import { nmap } from './nmap/nmap.ts'
import { PortListError, readPorts } from './ports/port-ranges.ts'
import { ports } from './ports/ports.ts'
import type { Scanner, ScannerId, ScannerOptions } from './scanner.ts'
import { tls } from './tls/tls.ts'
import { http } from './web/http.ts'

/** All scanners, in the order of a recon run. */
export const SCANNERS: readonly Scanner[] = [dns, ports, http, tls, nmap]

export const scannerOf = (id: ScannerId): Scanner => SCANNERS.find((scanner) => scanner.id === id) as Scanner

/** Returns the options with defaults, or why they are invalid. The message completes "The scanner ports ...". */
export const completeOptions = (
  scanner: Scanner,
  given: ScannerOptions = {},
): { options: Record<string, unknown> } | { refused: string } => {
  const known = Object.keys(scanner.options.properties)
  const foreign = Object.keys(given).find((name) => !known.includes(name))
  if (foreign !== undefined)
    return { refused: `has no option ${foreign}${known.length > 0 ? `; its options are ${known.join(', ')}` : ''}` }
  const options = Value.Default(scanner.options, { ...given })
  if (!Value.Check(scanner.options, options))
    return { refused: `does not take this value: ${Value.Errors(scanner.options, options)[0]?.message}` }
  const { ports: list } = options as ScannerOptions
  try {
    if (list !== undefined) readPorts(list)
  } catch (error) {
    if (error instanceof PortListError) return { refused: `does not take these ports: they ${error.message}` }
    throw error
  }
  return { options }
}
