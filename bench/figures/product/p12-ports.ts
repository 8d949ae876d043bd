// P12: the port scanner against nmap, over the same loopback addresses at the same (highest) rate, alternately.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { TestClient } from '../../../server/test/support/app/test-client.ts'
import { ended, engagementWith, portScan, started } from '../../../server/test/support/scans/scans.ts'
import { atLeast, type Bench, inRounds, type Measured, medians, msOf, notMeasured, ratios } from '../../lib/figure.ts'
import { startWithOrganization } from '../../lib/sortie.ts'

const NETWORK = '127.77.0.0/26'
const PORTS = '30000-30999'
const PROBES = 64 * 1_000
const RATE = 2_000
const NMAP = ['-sT', '-Pn', '-n', '--min-rate', String(RATE), '--max-rate', String(RATE), '-p', PORTS, NETWORK]

export const title = `Scanner of ports, 64 addresses of loopback and 1,000 ports, against nmap at the same rate (${RATE.toLocaleString('en')} a second)`

export const measure = async (bench: Bench): Promise<Measured[]> => {
  if (spawnSync('nmap', ['--version']).status !== 0) return [notMeasured('rate', 'nmap is not installed')]
  const { server, headers } = await startWithOrganization(bench, { EGRESS_ALLOW: NETWORK })
  const key = new TestClient(server.origin, headers)
  const { engagementId, ids } = await engagementWith(key, { allow: [NETWORK], targets: [NETWORK] })
  const scan = async () => {
    const { id } = await started(key, { engagementId, scanners: [portScan(PORTS, { rate: RATE })], targets: { ids } })
    const { state, stateReason } = await ended(key, id, undefined, 600_000)
    if (state !== 'succeeded') throw new Error(`the scan is ${state}: ${stateReason}`)
  }
  const { nmap, own } = await inRounds(bench.rounds, async () => ({
    nmap: await msOf(() => promisify(execFile)('nmap', NMAP)),
    own: await msOf(scan),
  }))
  const perSecond = (times: number[]) => times.map((ms) => PROBES / (ms / 1_000))
  return [atLeast('rate', 0.5, 'x', ratios(nmap, own), `${medians(perSecond(own), perSecond(nmap))} probes a second`)]
}
