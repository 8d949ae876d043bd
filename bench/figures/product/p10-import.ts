// P10: importing a scan until the last row is committed, against parsing the same file only, alternately; and memory.
import { createWriteStream, openAsBlob, statSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openText } from '../../../server/src/features/scanner-formats/readers/open-text.ts'
import { readXml } from '../../../server/src/features/scanner-formats/readers/xml.ts'
import { atMost, type Bench, inRounds, type Measured, medians, msOf, ratios } from '../../lib/figure.ts'
import { startWithOrganization } from '../../lib/sortie.ts'

/** Number of hosts with twenty open ports each: 60 MB. */
const HOSTS = 5_000
/** Number of hosts of the file whose memory is measured: 500 MB. Without any, only the ratio is. */
export const count = 42_000
const PORTS = Array.from({ length: 20 }, (_, index) => 8_000 + index)

export const title = `Import of an nmap XML of ${(HOSTS * PORTS.length).toLocaleString('en')} open ports, against only the parser`

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { server, headers, ask } = await startWithOrganization(bench, { RESULT_LIMIT: '10000000' })
  const importFile = async (name: string, file: string) => {
    const { data: engagement } = await ask('POST', '/api/v1/engagements', { name })
    const url = `${server.origin}/api/v1/imports?engagementId=${engagement.id}&fileName=scan.xml`
    return msOf(async () => {
      const sent = await fetch(url, { method: 'POST', headers, body: await openAsBlob(file) })
      let { data: found } = (await sent.json()) as { data: { id: string; state: string; stateReason: string | null } }
      while (['received', 'parsing'].includes(found.state)) {
        await sleep(100)
        found = (await ask('GET', `/api/v1/imports/${found.id}`)).data
      }
      if (found.state !== 'applied') throw new Error(`the import is ${found.state}: ${found.stateReason}`)
    })
  }
  const fileOf = async (hosts: number) => {
    const file = path.join(bench.stage.directory(), 'scan.xml')
    await pipeline(Readable.from(scan(hosts)), createWriteStream(file))
    return file
  }
  const file = await fileOf(HOSTS)
  const { parserOnly, whole } = await inRounds(bench.rounds, async (round) => {
    return { parserOnly: await msOf(() => parse(file)), whole: await importFile(`Round ${round}`, file) }
  })
  const ratio = atMost('import', 12, 'x', ratios(whole, parserOnly), `${medians(whole, parserOnly)} ms`)
  if (bench.count === 0) return [ratio]
  const large = await fileOf(bench.count)
  const { result: ms, addedMb } = await server.memoryDuring(() => importFile('Large', large))
  const megabytes = (statSync(large).size / 1e6).toFixed(0)
  const memory = `memory above rest, ${megabytes} MB of file`
  return [ratio, atMost(memory, 200, 'MB', [addedMb], `in ${(ms / 1_000).toFixed(0)} s`)]
}

/** Parses the host elements as the importer does, and discards them. */
const parse = async (file: string): Promise<void> => {
  let hosts = 0
  const text = openText(file, { maxRatio: 100, maxBytes: 2 ** 40 }, { bytes: 0 })
  for await (const event of readXml(text, (at) => at === 'nmaprun/host')) if (event.type === 'element') hosts++
  if (hosts !== HOSTS) throw new Error(`${hosts} hosts were read`)
}

/** An XML file of nmap with this many hosts. */
export function* scan(hosts: number): Generator<string> {
  yield `<?xml version="1.0"?>\n<nmaprun scanner="nmap" version="7.95" xmloutputversion="1.05">\n`
  yield `<scaninfo type="syn" protocol="tcp" numservices="${PORTS.length}" services="${PORTS.join()}"/>\n`
  for (let host = 0; host < hosts; host++) {
    yield `<host><status state="up" reason="syn-ack"/><address addr="10.${host >> 16}.${(host >> 8) & 255}.${host & 255}" addrtype="ipv4"/>`
    yield `<hostnames><hostname name="host-${host}.example.com" type="PTR"/></hostnames>\n<ports>`
    for (const port of PORTS) {
      yield `<port protocol="tcp" portid="${port}"><state state="open" reason="syn-ack" reason_ttl="57"/><service name="http" product="nginx"`
      yield ` version="1.25.${port % 7}" extrainfo="Ubuntu" method="probed" conf="10"><cpe>cpe:/a:igor_sysoev:nginx:1.25.${port % 7}</cpe></service>`
      yield `<script id="http-title" output="Welcome to host ${host} at ${port}"/><script id="banner" output="${'Bad Request. '.repeat(20)}"/></port>\n`
    }
    yield '</ports></host>\n'
  }
  yield '<runstats><finished time="1795336755" elapsed="55"/></runstats></nmaprun>\n'
}
