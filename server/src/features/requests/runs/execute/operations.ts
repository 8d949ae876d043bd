import { type Actor, authorOf } from '../../../../platform/auth/actor.ts'
import { isoTime } from '../../../../platform/clock.ts'
import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import { findSourceAddress } from '../../../../platform/outbound/source-address.ts'
import type { Operation } from '../../../operation-log/operation-log.service.ts'
import { readAddress, readName } from '../../../operation-log/place.ts'
import type { Sent } from '../../sending/send.ts'
import type { Prepared } from './prepare.service.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 }

/**
 * Returns the operation log entries of a run: one for the request and one per followed redirect. Failed connections are
 * included, with the reason; refused requests are not. A proxy has a separate entry, in addition to the one of the
 * destination. A name that contains a secret is left out.
 */
export const operationsOf = async (
  outbound: Outbound,
  { attempts }: Sent,
  runId: string,
  actor: Actor,
  { mask, override }: Prepared,
): Promise<Operation[]> => {
  const operations: Operation[] = []
  for (const { url, addresses, sourceAddress, note, startedAt, endedAt } of attempts) {
    const { protocol, port: written, hostname } = new URL(url)
    const port = written === '' ? (DEFAULT_PORTS[protocol] as number) : Number(written)
    const host = readName(hostname) ?? null
    for (const address of addresses) {
      const source = sourceAddress === undefined ? await findSourceAddress(outbound, address, port) : sourceAddress
      operations.push({
        kind: 'request',
        runId,
        startedAt: isoTime(startedAt),
        endedAt: isoTime(endedAt),
        sourceAddress: readAddress(source ?? '') ?? null,
        address: readAddress(address) ?? null,
        host: host !== null && mask(host) === host ? host : null,
        port,
        ports: null,
        protocol: protocol.slice(0, -1),
        by: { id: authorOf(actor) ?? actor.id, name: actor.name },
        note:
          [
            ...(override ? [`without an engagement: ${override.reason}`] : []),
            ...(note === null ? [] : [mask(note)]),
          ].join('; ') || null,
      })
    }
  }
  return operations
}
