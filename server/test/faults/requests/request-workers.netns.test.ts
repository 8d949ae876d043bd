import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, SESSION_SECRET } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { carriersOf, REFUSED_IPV4, REFUSED_IPV6, spellingsOf } from '../../support/ways-out/egress-spellings.ts'

const stage = createStage()
afterAll(() => stage.close())

const AT_ONCE = 8
const EVERYWHERE = '0.0.0.0/0,::/0,169.254.169.254,168.63.129.16,100.100.100.200,fd00:ec2::254'

interface Seen {
  canaries: number
  good: number
}

nightly(
  'L6, X16: with the policy switched off, the rules of docs/platform/egress.md keep a sending worker from every address that is not public',
  async () => {
    const env = {
      DATABASE_URL: databaseUrl(await copyTemplate()),
      EGRESS_ALLOW: EVERYWHERE,
      REQUESTS_BY: 'workers',
      REQUEST_RUNS_AT_ONCE: String(AT_ONCE + 1),
      REQUEST_RUNS_PER_HOUR: '100000',
      RATE_LIMIT_MAX: '100000',
    }
    const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
    await api.ready()
    const key = await withNewKey(await signInAsOwner(api.origin), [
      'api-requests:read',
      'api-requests:write',
      'organizations:write',
    ])
    const engagementId: string = (await key.post('/api/v1/engagements', { name: 'Canaries' })).body.data.id
    const script = fileURLToPath(new URL('../../support/ways-out/worker-canaries.ts', import.meta.url))
    const child = spawn('unshare', ['--net', process.execPath, script], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env, SESSION_SECRET, DATA_DIR: stage.directory(), PORT: String(api.port) },
    })
    const closed = once(child, 'close')
    stage.add(async () => {
      child.stdin.end()
      await closed
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const tell = async (word: 'count' | 'guard'): Promise<Seen> => {
      child.stdin.write(`${word}\n`)
      return JSON.parse(String((await lines.next()).value)) as Seen
    }
    const send = async (host: string): Promise<string> => {
      const { status, body } = await key.post('/api/v1/api-requests/send', {
        engagementId,
        request: { url: `http://${host}/`, options: { timeoutMs: 5_000 } },
      })
      return status === 201 ? body.data.state : String(status)
    }
    const sendAll = async (hosts: readonly string[]) => {
      const outcomes: Record<string, number> = {}
      for (let at = 0; at < hosts.length; at += AT_ONCE) {
        for (const outcome of await Promise.all(hosts.slice(at, at + AT_ONCE).map(send)))
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
      return outcomes
    }
    await eventually(async () => expect(await send('8.8.8.8')).toBe('succeeded'), 60_000)
    await tell('count')

    const urlHost = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
    const carried = REFUSED_IPV4.filter((ipv4) => !ipv4.startsWith('0.'))
    const hosts = [
      ...new Set([...REFUSED_IPV4.flatMap(spellingsOf), ...carried.flatMap(carriersOf), ...REFUSED_IPV6].map(urlHost)),
    ]
    expect(hosts.length).toBeGreaterThan(500)
    // Without the rules the canaries see it, so that a missing connection later was blocked.
    await sendAll(hosts.slice(0, 80))
    expect((await tell('guard')).canaries).toBeGreaterThan(40)

    const outcomes = await sendAll(hosts)
    expect(outcomes['succeeded']).toBe(undefined)
    expect(await tell('count')).toEqual({ canaries: 0, good: 0 })
    expect(await send('8.8.8.8')).toBe('succeeded')
    expect(await tell('count')).toEqual({ canaries: 0, good: 1 })
  },
)
