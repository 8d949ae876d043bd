import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Operation } from '../../operations/operations.service.ts'
import { readAddress, readName } from '../../operations/place.ts'
import type { Mask } from '../sending/mask.ts'
import type { Sent } from '../sending/send.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * What a run sent to the network: a row for the request and for each redirect that was followed; none for what was refused.
 * A name that holds a secret is left out.
 */
export const operationsOf = ({ attempts }: Sent, runId: string, { id, name }: Actor, mask: Mask): Operation[] =>
  attempts.map(({ hop, startedAt, endedAt }) => {
    const { protocol, port, hostname } = new URL(hop.url)
    const host = readName(hostname) ?? null
    return {
      kind: 'request',
      runId,
      startedAt: isoTime(startedAt),
      endedAt: isoTime(endedAt),
      sourceAddress: null,
      address: readAddress(hop.address ?? '') ?? null,
      host: host !== null && mask(host) === host ? host : null,
      port: port === '' ? (DEFAULT_PORTS[protocol] ?? null) : Number(port),
      ports: null,
      protocol: protocol.slice(0, -1),
      by: { id, name },
    }
  })
