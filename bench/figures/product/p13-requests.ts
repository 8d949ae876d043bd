// P13: the time that sending a saved request adds to undici, with many at once, alternately: building, checks and
// storing, in process.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { toDefinition } from '../../../server/src/features/requests/saved/definition.ts'
import { buildRequest } from '../../../server/src/features/requests/sending/build/build-request.ts'
import { createVariables } from '../../../server/src/features/requests/sending/build/variables.ts'
import { noProgress } from '../../../server/src/features/requests/sending/exchange.ts'
import { type Sent, send } from '../../../server/src/features/requests/sending/send.ts'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { parseConfig } from '../../../server/src/platform/config.ts'
import { createOutbound } from '../../../server/src/platform/outbound/outbound.ts'
import { SESSION_SECRET } from '../../../server/test/support/app/server-process.ts'
import { atMost, type Bench, inRounds, type Measured, median, msOf, repeat } from '../../lib/figure.ts'

const AT_ONCE = 16

export const title = `Executing a request to a loopback server, against undici, ${AT_ONCE} at once: median latency`

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const target = createServer((_request, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1')
  await once(target, 'listening')
  bench.stage.add(() => target.close().closeAllConnections())
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  // On a new connection, like a run.
  const direct = async () => (await request(`http://${host}/`, { reset: true })).body.dump()
  const execute = executorTo(host)
  const round = async () => ({ added: (await medianOf(execute)) - (await medianOf(direct)) })
  await round()
  return [atMost('what the executor adds', 5, 'ms', (await inRounds(bench.rounds, round)).added)]
}

/** Sends like a run: builds the request, checks the egress policy, uses a new connection, hashes and keeps the body. */
const executorTo = (host: string) => {
  const outbound = createOutbound(parseConfig({ SESSION_SECRET, EGRESS_ALLOW: host }), {
    requireLive: async () => undefined,
  })
  const { options, ...definition } = toDefinition({})
  const wanted = { method: 'GET', url: `http://${host}/`, ...definition, auth: { type: 'none' as const } }
  const how = {
    outbound,
    clock: systemClock,
    checkHop: async () => () => undefined,
    options,
    proxy: undefined,
    keptBytes: 1_048_576,
  }
  return async () => {
    const sent: Sent = { hops: [], attempts: [], timing: noProgress().timing, answer: null }
    const built = await buildRequest(wanted, createVariables({}), () => Promise.reject(new Error('there are no files')))
    await send({ ...how, signal: new AbortController().signal }, built, sent)
    if (sent.answer?.status !== 200) throw new Error('the executor got no answer')
  }
}

/** Returns the median time with `AT_ONCE` at once, in milliseconds. */
const medianOf = async (act: () => Promise<void>): Promise<number> => {
  const workers = Array.from({ length: AT_ONCE }, () => repeat(20, () => msOf(act)))
  return median((await Promise.all(workers)).flat())
}
