import { createWriteStream, openAsBlob, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { newEngagement } from '../../support/document/files.ts'
import { createStorages, STORAGES } from '../../support/storage/storages.ts'

const stage = createStage()
afterAll(() => stage.close())
const open = createStorages(stage)

const MB = 1_000_000
const FILE_MB = 500
const [HOSTS, PORTS] = [10_000, 10]
const DONE_WITHIN_MS = 1_800_000
/** Script output of nmap for a port: most of the file. */
const SCRIPT = 'Server: nginx; Content-Type: text/html; charset=utf-8 '.repeat(92)

function* scan(): Generator<string> {
  yield '<?xml version="1.0"?>\n<nmaprun scanner="nmap" version="7.95"><scaninfo type="syn" protocol="tcp" services="8000-8009"/>\n'
  for (let host = 0; host < HOSTS; host++) {
    yield `<host><status state="up" reason="syn-ack"/><address addr="10.0.${host >> 8}.${host & 255}" addrtype="ipv4"/><ports>`
    for (let port = 8_000; port < 8_000 + PORTS; port++) {
      yield `<port protocol="tcp" portid="${port}"><state state="open" reason="syn-ack"/><script id="http-headers" output="${host} ${port} ${SCRIPT}"/></port>\n`
    }
    yield '</ports></host>\n'
  }
  yield '<runstats/></nmaprun>\n'
}

/** Memory of a process, in MB; `VmHWM` is the peak since its last reset. */
const memoryOf = (pid: number, which: 'VmRSS' | 'VmHWM') =>
  (Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024) / MB

// Only Linux reports the peak memory of a process.
test.skipIf(process.platform !== 'linux').each(STORAGES)(
  'P10: in %s, 500 MB of XML of nmap are read and written in less memory than the size of the file',
  async (name) => {
    const file = path.join(stage.directory(), 'scan.xml')
    await pipeline(Readable.from(scan()), createWriteStream(file))
    expect(statSync(file).size).toBeGreaterThan(FILE_MB * MB)
    const server = await stage.server({
      env: { DATABASE_URL: databaseUrl(await copyTemplate()), ...(await open(name)).env },
    })
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin), [
      'targets:read',
      'targets:write',
      'organizations:read',
      'organizations:write',
    ])
    const engagement = await newEngagement(key)
    const pid = server.child.pid as number
    const atRest = memoryOf(pid, 'VmRSS')
    // Resets the peak: proc(5).
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const sent = await fetch(`${server.origin}/api/v1/imports?engagementId=${engagement}&fileName=scan.xml`, {
      method: 'POST',
      headers: key.headers,
      body: await openAsBlob(file),
    })
    expect(sent.status).toBe(201)
    const { data: made } = (await sent.json()) as { data: { id: string } }
    const ended = await eventually(
      async () => {
        const { data } = (await key.get(`/api/v1/imports/${made.id}`)).body
        expect(['applied', 'partial', 'failed']).toContain(data.state)
        return data
      },
      DONE_WITHIN_MS,
      500,
    )
    expect(ended).toMatchObject({
      state: 'applied',
      counts: { rejected: 0, results: { created: HOSTS * (PORTS + 1) } },
    })
    const added = memoryOf(pid, 'VmHWM') - atRest
    process.stderr.write(
      `${(statSync(file).size / MB).toFixed(0)} MB of file: ${added.toFixed(0)} MB above the ${atRest.toFixed(0)} MB of rest\n`,
    )
    expect(added).toBeLessThan(FILE_MB)
  },
)
