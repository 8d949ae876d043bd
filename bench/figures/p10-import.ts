import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openText } from '../../server/src/features/imports/formats/open-text.ts'
import { readXml } from '../../server/src/features/imports/formats/xml.ts'
import { withClient } from '../lib/database.ts'
import { atMost, type Figure } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

/** Hosts, of twenty open ports each: 60 MB, and 500 MB. */
const HOSTS = 5_000
const MANY_HOSTS = 42_000
const PORTS = 20
const LOOK_MS = 100
const NO_LIMITS = { maxRatio: 100, maxBytes: 2 ** 40 }

export const p10: Figure = {
  name: 'P10',
  title: `Import of an nmap XML of ${(HOSTS * PORTS).toLocaleString('en')} open ports, against the parser alone`,
  measure: async (bench) => {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-bench-nmap-'))
    const url = await bench.database.createMigrated('p10')
    const organization = await seedOrganization(url, 'imports', 10)
    await withClient(url, (client) =>
      client.query(`update api_keys set scopes = '{organizations:read,organizations:write,targets:read,targets:write}' where id = $1`, [organization.keyId]),
    )
    const sortie = await startSortie(url, { RESULT_LIMIT: '10000000' })
    const ask = async (method: string, address: string, body?: RequestInit['body'], type = 'application/json') => {
      const headers = { ...organization.headers, ...(body !== undefined && { 'content-type': type }) }
      const response = await fetch(`${sortie.origin}/api/v1${address}`, { method, headers, ...(body !== undefined && { body, duplex: 'half' }) })
      if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
      return ((await response.json()) as { data: { id: string; state: string; stateReason: string | null } }).data
    }
    /** @returns milliseconds from the file until its last row is committed, and how much memory the server had more than before */
    const importInto = async (name: string, file: string): Promise<{ ms: number; addedMb: number }> => {
      const { id: engagementId } = await ask('POST', '/engagements', JSON.stringify({ name }))
      await sleep(2_000)
      const rest = sortie.memoryMb()
      let highest = rest
      const started = performance.now()
      const bytes = Readable.toWeb(createReadStream(file)) as unknown as NonNullable<RequestInit['body']>
      const { id } = await ask('POST', `/imports?engagementId=${engagementId}&fileName=scan.xml`, bytes, 'application/octet-stream')
      let state = 'received'
      while (['received', 'parsing'].includes(state)) {
        await sleep(LOOK_MS)
        highest = Math.max(highest, sortie.memoryMb())
        const found = await ask('GET', `/imports/${id}`)
        state = found.state
        if (state === 'failed' || state === 'partial') throw new Error(`the import is ${state}: ${found.stateReason}`)
      }
      return { ms: performance.now() - started, addedMb: highest - rest }
    }
    try {
      const [file, many] = [path.join(directory, 'scan.xml'), path.join(directory, 'many.xml')]
      await writeScan(file, HOSTS)
      await writeScan(many, MANY_HOSTS)
      const ratios: number[] = []
      const times: string[] = []
      for (let round = 0; round < bench.rounds; round++) {
        const alone = await parse(file)
        const { ms } = await importInto(`Round ${round}`, file)
        ratios.push(ms / alone)
        times.push(`${(ms / 1_000).toFixed(1)} against ${(alone / 1_000).toFixed(1)} s`)
      }
      const { addedMb, ms } = await importInto('Many', many)
      return [
        atMost('import', 6, 'x', spread(ratios), times.join(', ')),
        atMost('memory above rest, 500 MB of file', 200, 'MB', spread([addedMb]), `in ${(ms / 1_000).toFixed(0)} s`),
      ]
    } finally {
      await sortie.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
}

/** Elements of hosts, as the importer gets them, and nothing done with them. */
const parse = async (file: string): Promise<number> => {
  const started = performance.now()
  let hosts = 0
  for await (const event of readXml(openText(file, NO_LIMITS, { bytes: 0 }), (at) => at === 'nmaprun/host')) if (event.type === 'element') hosts++
  if (hosts !== HOSTS) throw new Error(`${hosts} hosts were read`)
  return performance.now() - started
}

const writeScan = (file: string, hosts: number): Promise<void> => pipeline(Readable.from(scan(hosts)), createWriteStream(file))

function* scan(hosts: number): Generator<string> {
  const ports = Array.from({ length: PORTS }, (_, index) => 8_000 + index)
  yield `<?xml version="1.0"?>\n<nmaprun scanner="nmap" version="7.95" xmloutputversion="1.05">\n<scaninfo type="syn" protocol="tcp" numservices="${PORTS}" services="${ports.join(',')}"/>\n`
  for (let host = 0; host < hosts; host++) {
    const address = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
    yield `<host starttime="1795336700" endtime="1795336755"><status state="up" reason="syn-ack" reason_ttl="57"/><address addr="${address}" addrtype="ipv4"/><hostnames><hostname name="host-${host}.example.com" type="PTR"/></hostnames>\n<ports>`
    for (const port of ports) {
      yield `<port protocol="tcp" portid="${port}"><state state="open" reason="syn-ack" reason_ttl="57"/><service name="http" product="nginx" version="1.25.${port % 7}" extrainfo="Ubuntu" method="probed" conf="10"><cpe>cpe:/a:igor_sysoev:nginx:1.25.${port % 7}</cpe></service><script id="http-title" output="Welcome to host ${host} at ${port}"/><script id="http-server-header" output="nginx/1.25.${port % 7} (Ubuntu)"/><script id="banner" output="HTTP/1.1 400 Bad Request\\x0D\\x0AServer: nginx/1.25.${port % 7} (Ubuntu)\\x0D\\x0ADate: Sun, 22 Nov 2026 10:00:00 GMT"/></port>\n`
    }
    yield '</ports></host>\n'
  }
  yield '<runstats><finished time="1795336755" elapsed="55"/></runstats></nmaprun>\n'
}
