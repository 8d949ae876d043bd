import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { withClient } from '../lib/database.ts'
import { atMost, type Figure } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const AT_ONCE = 16
const IN_A_ROUND = 320

export const p13: Figure = {
  name: 'P13',
  title: `Executing a saved request to a loopback server, against undici alone, ${AT_ONCE} at once`,
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
      await round(execute)
      await round(alone)
      const [latency, each]: [number[], number[]] = [[], []]
      for (let count = 0; count < bench.rounds; count++) {
        const [run, bare] = [await round(execute), await round(alone)]
        latency.push(run.medianMs - bare.medianMs)
        each.push(run.eachMs - bare.eachMs)
      }
      return [
        atMost(`added to the median latency, ${AT_ONCE} at once`, 5, 'ms', spread(latency)),
        atMost('added to the time that each takes', 5, 'ms', spread(each)),
      ]
    } finally {
      await client.close()
      await sortie.stop()
      target.closeAllConnections()
      target.close()
    }
  },
}

/** Of so many at once: the median time from asking to the answer, and the time of all by their number. */
const round = async (act: () => Promise<void>): Promise<{ medianMs: number; eachMs: number }> => {
  const times: number[] = []
  const began = performance.now()
  const worker = async () => {
    for (let count = 0; count < IN_A_ROUND / AT_ONCE; count++) {
      const started = performance.now()
      await act()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return { medianMs: spread(times).median, eachMs: (performance.now() - began) / IN_A_ROUND }
}
