import { stat } from 'node:fs/promises'
import { UnreadableFile } from '../../imports/formats/format.ts'
import { readInThread } from '../../imports/read-in-thread.ts'
import { warning } from './failures.ts'
import type { Found } from './scanner.ts'

/** No compression: the file is ours. */
const LIMITS = { maxRatio: 1, maxBytes: 64 * 1024 * 1024 }

/**
 * What the program wrote, by the importer of its files, in a thread of its own.
 *
 * @param names by which the addresses were found
 */
export async function* readNmapOutput(path: string, names: ReadonlyMap<string, string | undefined>, signal: AbortSignal): AsyncGenerator<Found> {
  if ((await stat(path)).size === 0) return
  try {
    for await (const { items } of readInThread({ path, format: 'nmap', mapping: {}, limits: LIMITS }, signal)) {
      for (const item of items) {
        if (item.type === 'coverage') yield item
        else if (item.type === 'cut') yield warning(`the output of nmap is cut off: ${item.reason}`)
        else if (item.type === 'sighting') {
          const { sighting } = item
          const name = names.get(sighting.host ?? '')
          yield { type: 'sighting', sighting: name === undefined ? sighting : { ...sighting, askedName: name } }
          if (sighting.kind === 'service' && sighting.host !== null && sighting.port !== null) {
            const { protocol, name: service } = sighting.data as { protocol: 'tcp' | 'udp'; name?: string }
            yield { type: 'lead', lead: { kind: 'service', address: sighting.host, name, protocol, port: sighting.port, service } }
          }
        }
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield warning(`the output of nmap cannot be read: ${error.message}`)
  }
}
