import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { toDefinition } from '../../server/src/features/api-requests/saved/definition.ts'
import { buildRequest } from '../../server/src/features/api-requests/sending/build-request.ts'
import { type Sent, send } from '../../server/src/features/api-requests/sending/send.ts'
import { createVariables } from '../../server/src/features/api-requests/sending/variables.ts'
import { systemClock } from '../../server/src/platform/clock.ts'
import { createOutbound } from '../../server/src/platform/outbound/outbound.ts'
import { withClient } from '../lib/database.ts'
import { atMost, type Figure } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const AT_ONCE = 16
const IN_A_ROUND = 320

export const p13: Figure = {
  name: 'P13',
  title: `Executing a request to a loopback server, against undici alone, ${AT_ONCE} at once: median latency`,
  measure: async (bench) => {
    const target = createServer((_request, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1')
    await once(target, 'listening')
    const { port } = target.address() as AddressInfo
    const url = await bench.database.createMigrated('p13')
    const organization = await seedOrganization(url, 'requests', 10)
    await withClient(url, (client) =>
      client.query(`update api_keys set scopes = '{organizations:write,api-requests:read,api-requests:write}' where id = $1`, [organization.keyId]),
    )
    const limits = { REQUEST_RUNS_AT_ONCE: String(AT_ONCE * 2), REQUEST_RUNS_PER_HOUR: '1000000', EGRESS_ALLOW: `127.0.0.1:${port}` }
    const sortie = await startSortie(url, limits)
    const client = new Agent({ connections: AT_ONCE })
    const headers = { ...organization.headers, 'content-type': 'application/json' }
    const ask = async (path: string, body: object): Promise<{ data: { id: string; state: string } }> => {
      const answer = await client.request({ origin: sortie.origin, path: `/api/v1${path}`, method: 'POST', headers, body: JSON.stringify(body) })
      if (answer.statusCode !== 201) throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`)
      return (await answer.body.json()) as { data: { id: string; state: string } }
    }
    try {
      const engagement = (await ask('/engagements', { name: 'Measured' })).data.id
      const request = (await ask('/api-requests', { engagementId: engagement, name: 'Measured', url: `http://127.0.0.1:${port}/` })).data.id
      const execute = async () => {
        const { data } = await ask(`/api-requests/${request}/execute`, {})
        if (data.state !== 'succeeded') throw new Error(`a run ${data.state}`)
      }
      // A connection for each, as a run has.
      const alone = async () => {
        const agent = new Agent()
        const { body } = await agent.request({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' })
        await body.text()
        await agent.close()
      }
      const executor = executorTo(port)
      for (const act of [executor, execute, alone]) await round(act)
      const added: { inProcess: number; byApi: number }[] = []
      for (let count = 0; count < bench.rounds; count++) {
        const bareMs = await round(alone)
        added.push({ inProcess: (await round(executor)) - bareMs, byApi: (await round(execute)) - bareMs })
      }
      const byApi = spread(added.map((each) => each.byApi))
      return [
        atMost('what the executor adds, in process', 5, 'ms', spread(added.map(({ inProcess }) => inProcess))),
        { what: 'what the API adds, with the run stored', aim: 'reported', value: byApi, unit: 'ms', reached: true },
      ]
    } finally {
      await client.close()
      await sortie.stop()
      target.closeAllConnections()
      target.close()
    }
  },
}

/** As a run is sent: put together, judged by the policy, on a connection of its own, its body hashed and kept. */
const executorTo = (port: number): (() => Promise<void>) => {
  const settings = { PORT: 1, FRONTEND_URL: 'https://sortie.example.com', ALLOWED_HOSTS: undefined, EGRESS_ALLOW: [`127.0.0.1:${port}`] }
  const unset = { EGRESS_DENY: undefined, DNS_SERVERS: undefined, DATABASE_URL: undefined, REDIS_URL: undefined, SMTP_URL: undefined }
  const outbound = createOutbound({ ...settings, ...unset })
  const { options, ...definition } = toDefinition({})
  const wanted = { method: 'GET', url: `http://127.0.0.1:${port}/`, ...definition, auth: { type: 'none' as const } }
  const how = { outbound, clock: systemClock, checkUrl: () => () => undefined, options, proxy: undefined, keptBytes: 1_048_576 }
  return async () => {
    const sent: Sent = { hops: [], attempts: [], timing: { dns: null, connect: null, tls: null, firstByte: null, total: null }, answer: null }
    const request = await buildRequest(wanted, createVariables({}), () => Promise.reject(new Error('there are no files')))
    await send({ ...how, signal: new AbortController().signal }, request, sent)
    if (sent.answer?.status !== 200) throw new Error('the executor got no answer')
  }
}

/** The median time from asking to the answer, of so many at once; milliseconds. */
const round = async (act: () => Promise<void>): Promise<number> => {
  const times: number[] = []
  const worker = async () => {
    for (let count = 0; count < IN_A_ROUND / AT_ONCE; count++) {
      const started = performance.now()
      await act()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return spread(times).median
}
