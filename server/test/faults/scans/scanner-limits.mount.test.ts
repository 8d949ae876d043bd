import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/database/small-disk.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { hostileTargets } from '../../support/scans/hostile-targets.ts'
import { isWithinGrammar } from '../../support/scans/nmap-grammar.ts'
import { FOUND_PORT, type Manner, recordingNmap, STARTED_BY_IT } from '../../support/scans/recording-nmap.ts'
import { ended, engagementWith, started } from '../../support/scans/scans.ts'

const PASTED_LINES = isNightly ? 10_000 : 1_000
const NMAP = [{ id: 'nmap', options: { profile: 'quick' } }]

const stage = createStage()
afterAll(() => stage.close())

let key: TestClient
let nmap: ReturnType<typeof recordingNmap>
let server: ServerProcess
let disk: SmallDisk
let temporary: string

beforeAll(async () => {
  nmap = recordingNmap(stage)
  disk = mountSmallDisk(stage, 40)
  temporary = disk.directory
  const names = await DnsServer.start()
  stage.add(() => names.stop())
  names.others = ['127.0.0.1', '127.0.0.2']
  server = await stage.server({
    programs: nmap.directory,
    env: {
      DATABASE_URL: databaseUrl(await copyTemplate()),
      EGRESS_ALLOW: '127.0.0.0/8',
      DNS_SERVERS: names.address,
      TMPDIR: temporary,
    },
  })
  await server.ready()
  key = await withNewKey(await signInAsOwner(server.origin), [
    'targets:read',
    'targets:write',
    'organizations:read',
    'organizations:write',
  ])
})

test('N7: a scanner program gets only PATH and LANG, its own directory, and no open file or connection of the server', async () => {
  const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.0/8'], targets: ['127.0.0.9'] })
  await ended(key, (await started(key, { engagementId, scanners: NMAP, targets: { ids } })).id)
  execFileSync(path.join(nmap.directory, 'nmap'), ['127.0.0.9'], { stdio: 'ignore' })
  const [run, single] = nmap.recorded()
  expect(Object.keys(run?.env ?? {}).toSorted()).toEqual(['LANG', 'PATH'])
  expect(run?.cwd.startsWith(`${temporary}/sortie-nmap-`)).toBe(true)
  expect(run?.files).toEqual(['out.xml'])
  // The stand-in program opens some itself: only those are allowed.
  const kinds = (recorded: typeof run) => recorded?.handles.map((handle) => handle.replace(/\[\d+\]$/, '')).toSorted()
  expect(kinds(run)).toEqual(kinds(single))
  expect(readdirSync(temporary)).toEqual([])
})

test(`N1, L7: of ${PASTED_LINES} hostile targets accepted ones reach the program as an address; nothing else does`, async () => {
  const { engagementId } = await engagementWith(key, { allow: ['127.0.0.0/8', '*.example'], targets: [] })
  const before = nmap.recorded().length
  const text = hostileTargets(PASTED_LINES).join('\n')
  const { body } = await key.post('/api/v1/targets/bulk', { engagementId, text })
  expect(body.data.created).toBeGreaterThan(100)
  const scan = await started(key, {
    engagementId,
    scanners: NMAP,
    targets: { filter: { engagementId } },
    outOfScope: 'skip',
  })
  expect((await ended(key, scan.id)).state).toBe('succeeded')
  const runs = nmap.recorded().slice(before)
  expect(runs.length).toBeGreaterThan(0)
  expect(runs.filter(({ args }) => !isWithinGrammar(args))).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})

test.each<[change: string, state: string, change: (engagementId: string) => Promise<unknown>, left: string]>([
  [
    'a rule that denies an address',
    'succeeded',
    (engagementId) => key.post('/api/v1/scope-rules', { engagementId, effect: 'deny', pattern: '127.0.0.8' }),
    '127.0.0.8 was left out: out of scope: denied by 127.0.0.8',
  ],
  [
    'the end of the testing hours',
    'partial',
    (engagementId) => key.patch(`/api/v1/engagements/${engagementId}/details`, { endsOn: '2020-01-01' }),
    '127.0.0.8 was left out: nmap was stopped before it had finished',
  ],
])(
  '%s ends a run of a scanner program: finished parts stay, and unfinished ones are reported',
  async (_, state, change, left) => {
    nmap.behave('hangs')
    const { engagementId, ids } = await engagementWith(key, {
      allow: ['127.0.0.0/8'],
      targets: ['127.0.0.8', '127.0.0.9'],
    })
    const before = nmap.recorded().length
    const { id } = await started(key, { engagementId, scanners: NMAP, targets: { ids } })
    await eventually(() => expect(nmap.recorded().length).toBeGreaterThan(before))
    await change(engagementId)
    expect(await ended(key, id)).toMatchObject({ state, counts: { created: 2, skipped: 1 } })
    const { data } = (await key.get(`/api/v1/results?engagementId=${engagementId}&kind=service`)).body
    expect(data.map(({ asset }: { asset: string }) => asset)).toEqual([`127.0.0.9:${FOUND_PORT}/tcp`])
    const log = (await key.get(`/api/v1/scans/${id}/log?perPage=100`)).body.data as { text: string }[]
    expect(log.map(({ text }) => text)).toContain(left)
    const sent = (await key.get(`/api/v1/operations?engagementId=${engagementId}`)).body.data as { address: string }[]
    // An entry for each address and minute.
    expect(new Set(sent.map(({ address }) => address))).toEqual(new Set(['127.0.0.8', '127.0.0.9']))
    expect(readdirSync(temporary)).toEqual([])
  },
)

const MANNERS: [Manner, string][] = [
  ['writes', 'nmap ended early: it wrote more than 20 MiB'],
  ['forks', 'nmap ended early: it started more than 20 processes'],
  ['grows', 'nmap ended early: it used more than 1024 MiB of memory'],
]
test.each(isNightly ? MANNERS : MANNERS.slice(1, 2))(
  'N6: a scanner program that %s without end is killed with all its children, and its results stay',
  async (manner, message) => {
    nmap.behave(manner)
    const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.0/8'], targets: ['127.0.0.9'] })
    const scan = await ended(key, (await started(key, { engagementId, scanners: NMAP, targets: { ids } })).id)
    expect([scan.state, scan.stateReason]).toEqual(['partial', 'Part of it failed: see the log.'])
    const log = (await key.get(`/api/v1/scans/${scan.id}/log`)).body.data as { text: string }[]
    expect(log.map(({ text }) => text)).toContain(message)
    const { data } = (await key.get(`/api/v1/results?engagementId=${engagementId}&kind=service`)).body
    expect(data.map(({ asset }: { asset: string }) => asset)).toEqual([`127.0.0.9:${FOUND_PORT}/tcp`])
    const { args } = nmap.recorded().at(-1) as { args: string[] }
    const running = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    for (const program of [args.join(' '), STARTED_BY_IT]) expect(running).not.toContain(program)
    expect(readdirSync(temporary)).toEqual([])
  },
)

test('S32: a full temporary disk ends a run of a scanner program with a reason, and the server stays up', async () => {
  nmap.behave('writes')
  const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.0/8'], targets: ['127.0.0.9'] })
  disk.fill()
  const scan = await ended(key, (await started(key, { engagementId, scanners: NMAP, targets: { ids } })).id)
  disk.empty()
  expect([scan.state, scan.stateReason]).toEqual(['partial', 'Part of it failed: see the log.'])
  const log = (await key.get(`/api/v1/scans/${scan.id}/log`)).body.data as { text: string }[]
  expect(log.map(({ text }) => text)).toContain('nmap ended early: its output could not be stored (ENOSPC)')
  expect(readdirSync(temporary)).toEqual([])
  expect([server.isRunning, server.uncaught]).toEqual([true, []])
})
