import { execFile, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { withClient } from '../lib/database.ts'
import { atLeast, type Figure } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const NETWORK = '127.77.0.0/26'
const PORTS = '30000-30999'
const PROBES = 64 * 1_000
/** The highest that a scan may have; both keep to it. */
const RATE = 2_000
const LOOK_MS = 100

export const p12: Figure = {
  name: 'P12',
  title: `Scanner of ports, 64 addresses of loopback and 1,000 ports, against nmap at the same rate (${RATE.toLocaleString('en')} a second)`,
  measure: async (bench) => {
    if (spawnSync('nmap', ['--version'], { stdio: 'ignore' }).status !== 0)
      return [{ what: 'rate', aim: 'at least 0.5', value: undefined, unit: 'x', reached: false, remark: 'nmap is not installed' }]
    const url = await bench.database.createMigrated('p12')
    const organization = await seedOrganization(url, 'scans', 10)
    await withClient(url, (client) =>
      client.query(`update api_keys set scopes = '{organizations:read,organizations:write,targets:read,targets:write}' where id = $1`, [organization.keyId]),
    )
    const sortie = await startSortie(url, { EGRESS_ALLOW: '127.77.0.0/24' })
    const ask = async (method: string, path: string, body?: object): Promise<{ data: { id: string; state: string; stateReason: string | null } }> => {
      const headers = { ...organization.headers, 'content-type': 'application/json' }
      const answer = await fetch(`${sortie.origin}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as { data: { id: string; state: string; stateReason: string | null } }
    }
    try {
      const { id: engagementId } = (await ask('POST', '/engagements', { name: 'Measured' })).data
      await ask('POST', '/scope-rules', { engagementId, effect: 'allow', pattern: NETWORK })
      const { id: target } = (await ask('POST', '/targets', { engagementId, value: NETWORK })).data
      const scanners = [{ id: 'ports', options: { ports: PORTS, rate: RATE } }]
      const scan = async (): Promise<number> => {
        const started = performance.now()
        const { id } = (await ask('POST', '/scans', { engagementId, scanners, targets: { ids: [target] } })).data
        for (;;) {
          await sleep(LOOK_MS)
          const { state, stateReason } = (await ask('GET', `/scans/${id}`)).data
          if (state === 'succeeded') return performance.now() - started
          if (!['queued', 'running'].includes(state)) throw new Error(`the scan is ${state}: ${stateReason}`)
        }
      }
      const ratios: number[] = []
      const rates: string[] = []
      for (let round = 0; round < bench.rounds; round++) {
        const nmapMs = await nmap()
        const ms = await scan()
        ratios.push(nmapMs / ms)
        rates.push(`${perSecond(ms)} against ${perSecond(nmapMs)}`)
      }
      return [atLeast('rate', 0.5, spread(ratios), `probes a second: ${rates.join(', ')}`)]
    } finally {
      await sortie.stop()
    }
  },
}

const perSecond = (ms: number): string => Math.round(PROBES / (ms / 1_000)).toLocaleString('en')

const nmap = async (): Promise<number> => {
  const started = performance.now()
  const rate = ['--min-rate', String(RATE), '--max-rate', String(RATE)]
  await promisify(execFile)('nmap', ['-sT', '-Pn', '-n', ...rate, '-p', PORTS, NETWORK], { maxBuffer: 2 ** 26 })
  return performance.now() - started
}
