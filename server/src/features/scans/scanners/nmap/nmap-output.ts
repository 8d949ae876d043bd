import { stat } from 'node:fs/promises'
import { UnreadableFile } from '../../../scanner-formats/registry/format.ts'
import type { FileItem } from '../../../scanner-formats/registry/read-file.ts'
import { readInThread } from '../../../scanner-formats/registry/read-in-thread.ts'
import { info, warning } from '../failures.ts'
import type { Found } from '../scanner.ts'

/** No compression: the file is our own. */
const LIMITS = { maxRatio: 1, maxBytes: 64 * 1024 * 1024 }
const MAX_MS = 60_000

/**
 * Reads nmap's output with its importer, in a separate thread. Also runs when the scan must stop, because results until
 * then are kept.
 *
 * @param names names by which the addresses were found
 * @param onHost receives each finished address
 */
export async function* readNmapOutput(
  path: string,
  names: ReadonlyMap<string, string | undefined>,
  onHost: (address: string) => void,
): AsyncGenerator<Found> {
  const written = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // nmap could not write anything.
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!written?.size) return
  try {
    for await (const { items } of readInThread(
      { path, format: 'nmap', mapping: {}, limits: LIMITS },
      AbortSignal.timeout(MAX_MS),
    )) {
      for (const item of items) {
        const host = hostOf(item)
        if (host !== undefined) onHost(host)
        if (item.type === 'coverage') yield item
        else if (item.type === 'warning') yield info(item.text)
        else if (item.type === 'rejection') yield warning(`${item.reason}: ${item.excerpt}`)
        else if (item.type === 'cut') yield warning(`the output of nmap is cut off: ${item.reason}`)
        else if (item.type === 'sighting') {
          const { sighting } = item
          const name = names.get(sighting.host ?? '')
          yield { type: 'sighting', sighting: name === undefined ? sighting : { ...sighting, askedName: name } }
          if (
            sighting.kind === 'service' &&
            sighting.data['state'] === 'open' &&
            sighting.host !== null &&
            sighting.port !== null
          ) {
            const { protocol, name: service } = sighting.data as { protocol: 'tcp' | 'udp'; name?: string }
            yield {
              type: 'input',
              input: { kind: 'service', address: sighting.host, name, protocol, port: sighting.port, service },
            }
          }
        }
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield warning(`the output of nmap cannot be read: ${error.message}`)
  }
}

const hostOf = (item: FileItem): string | undefined => {
  if (item.type === 'probe') return item.probe.host
  const { host } = item.type === 'coverage' ? item.coverage : item.type === 'sighting' ? item.sighting : {}
  return host ?? undefined
}
