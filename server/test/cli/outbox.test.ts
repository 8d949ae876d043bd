import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/app/server-process.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { createTester, type Tester } from '../support/cli/cli-engagement.ts'
import { listenWith, type Listener } from '../support/clients/listeners.ts'

let app: TestApp
let tester: Tester
let gateway: Listener
/** What happens to a request: it never arrives, its answer is lost, or neither. */
let fault: (method: string, url: string) => 'refused' | 'answer lost' | undefined

beforeAll(async () => {
  app = await testApp()
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const kind = fault(method, url)
    if (kind === 'refused') return void incoming.socket.destroy()
    const forwarded = httpRequest(`${app.origin}${url}`, { method, headers }, (answer) => {
      if (kind === 'answer lost') return void answer.resume().on('end', () => incoming.socket.destroy())
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => incoming.socket.destroy())
    incoming.pipe(forwarded)
  })
  gateway = await listenWith(server)
})
afterAll(async () => {
  await gateway.stop()
  await app.close()
})
afterEach(() => tester.cli.remove())

/** A tester behind a network that fails as `fault` decides. */
const behindGateway = async (rules: Parameters<typeof createTester>[1]) => {
  fault = () => undefined
  tester = await createTester(app, rules, {}, `http://127.0.0.1:${gateway.port}`)
}

const listed = async (): Promise<{ id: string; command: string; running: boolean }[]> => {
  const { code, stdout } = await tester.cli.run(['sync', '--list', '--json'])
  expect(code).toBe(0)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const inHome = (name: string) => path.join(tester.cli.home, name)

/** Replaces nmap: waits until it may go on, then writes the file that -oX names. */
const SLOW_NMAP = `echo started > "$HOME/started"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
for last; do :; done
cp "$HOME/nmap.xml" "$last"
echo done > "$HOME/done"`

const NMAP_XML = `<?xml version="1.0"?>
<nmaprun scanner="nmap" args="nmap 10.0.0.5" start="1795000000" version="7.95">
<host starttime="1795000000" endtime="1795000010"><status state="up"/><address addr="10.0.0.5" addrtype="ipv4"/>
<ports><port protocol="tcp" portid="443"><state state="open"/><service name="https"/></port></ports></host>
<runstats><finished time="1795000010" exit="success"/></runstats>
</nmaprun>
`

const importsOf = async () =>
  (await tester.key.get(`/api/v1/imports?engagementId=${tester.engagementId}`)).body.data as {
    state: string
    format: string
  }[]

describe('nothing is lost', () => {
  test('kill -9 of sortie while the program runs: the program goes on, and sync records it and imports its output', async () => {
    await behindGateway({ '10.0.0.0/24': 'allow' })
    const env = tester.program('nmap', SLOW_NMAP)
    writeFileSync(inHome('nmap.xml'), NMAP_XML)
    const started = tester.cli.start(['run', '--', 'nmap', '10.0.0.5'], { env })
    await eventually(() => readFileSync(inHome('started')))
    started.kill('SIGKILL')
    // Its program still holds the pipes: it ends later.
    expect(await listed()).toEqual([expect.objectContaining({ command: 'nmap 10.0.0.5', running: true })])
    expect((await tester.cli.run(['sync'])).stderr).toContain('still running: nmap 10.0.0.5')
    expect(await tester.operations()).toEqual([])
    writeFileSync(inHome('go'), '')
    expect((await started.ended).code).toBe(null)
    const synced = await tester.cli.run(['sync'])
    expect(synced, synced.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(synced.stdout).toContain('Recorded: nmap 10.0.0.5')
    expect(await tester.operations()).toEqual([
      expect.objectContaining({
        kind: 'run',
        address: '10.0.0.5',
        exitCode: null,
        endedAt: null,
        note: expect.stringContaining('ended before the command'),
      }),
    ])
    expect(await importsOf()).toEqual([expect.objectContaining({ format: 'nmap', state: 'applied' })])
    expect(await listed()).toEqual([])
  })

  test('kill -9 of both: the start is recorded', async () => {
    await behindGateway({ '10.0.0.0/24': 'allow' })
    const env = tester.program('probe', 'echo $$ > "$HOME/pid"; exec sleep 1000')
    const started = tester.cli.start(['run', '--target', '10.0.0.5', '--', 'probe'], { env })
    const pid = Number(await eventually(() => numberIn(inHome('pid'))))
    started.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await started.ended
    await eventually(async () => expect(await listed()).toEqual([expect.objectContaining({ running: false })]))
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 0 })
    expect(await tester.operations()).toEqual([expect.objectContaining({ address: '10.0.0.5', endedAt: null })])
  })

  test('a network that is lost while the program runs: the exit code is that of the program, and sync sends later', async () => {
    await behindGateway({ '10.0.0.0/24': 'allow' })
    const env = tester.program('probe', 'exit 5')
    fault = (_method, url) => (url.includes('/operations') ? 'refused' : undefined)
    const ended = await tester.cli.run(['run', '--target', '10.0.0.5', '--', 'probe'], { env })
    expect(ended.code).toBe(5)
    expect(ended.stderr).toContain('kept in the outbox, and sent by `sortie sync`: The server cannot be reached.')
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 8 })
    fault = () => undefined
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 0, stdout: 'Recorded: probe\n' })
    expect(await tester.operations()).toEqual([
      expect.objectContaining({ exitCode: 5, endedAt: expect.stringMatching(/Z$/) }),
    ])
  })

  test('answers that are lost: each entry and each import exists once', async () => {
    await behindGateway({ '10.0.0.0/24': 'allow' })
    const env = tester.program('nmap', SLOW_NMAP)
    writeFileSync(inHome('nmap.xml'), NMAP_XML)
    writeFileSync(inHome('go'), '')
    fault = (method, url) =>
      method === 'POST' && (url.includes('/operations') || url.includes('/imports')) ? 'answer lost' : undefined
    const ended = await tester.cli.run(['run', '--', 'nmap', '10.0.0.5-6'], { env })
    expect(ended.stderr).toContain('kept in the outbox')
    expect(await tester.operations()).toHaveLength(2)
    // The log is written now, and the answer to the import is lost.
    fault = (method, url) => (method === 'POST' && url.includes('/imports') ? 'answer lost' : undefined)
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 8 })
    expect(await importsOf()).toHaveLength(1)
    fault = () => undefined
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 0 })
    expect(await tester.operations()).toHaveLength(2)
    expect(await importsOf()).toHaveLength(1)
    expect(await listed()).toEqual([])
  })

  test('without the server and stored rules nothing runs; with a reason it runs, and is recorded later', async () => {
    await behindGateway({ '10.0.0.5': 'allow' })
    rmSync(inHome('.local/state/sortie/rules'), { recursive: true })
    const env = tester.program('curl', 'echo ran > "$HOME/ran"')
    fault = () => 'refused'
    const refused = await tester.cli.run(['run', '--', 'curl', '10.0.0.9'], { env })
    expect(refused).toMatchObject({ code: 8, stdout: '' })
    expect(refused.stderr).toContain('could not be checked, so nothing was run')
    expect(existsSync(inHome('ran'))).toBe(false)
    const ended = await tester.cli.run(['run', '--override', 'agreed, no network', '--', 'curl', '10.0.0.9'], { env })
    expect(ended.code, ended.stderr).toBe(0)
    expect(existsSync(inHome('ran'))).toBe(true)
    fault = () => undefined
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 0 })
    expect(await tester.operations()).toEqual([
      expect.objectContaining({ address: '10.0.0.9', overrideReason: 'agreed, no network' }),
    ])
  })

  test('a key that was deleted: what was done stays in the outbox until there is another', async () => {
    await behindGateway({ '10.0.0.5': 'allow' })
    const env = tester.program('curl', 'exit 0')
    expect(await tester.cli.run(['run', '--later', '--', 'curl', '10.0.0.5'], { env })).toMatchObject({ code: 0 })
    const owner = await app.signedIn('owner')
    expect((await owner.delete(`/api/web/api-keys/${tester.key.keyId}`)).status).toBe(200)
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 5, stdout: '' })
    const other = await app.withKey(['targets:read', 'targets:write', 'organizations:read'])
    const address = `http://127.0.0.1:${gateway.port}`
    expect(await tester.cli.run(['login', address, '--key'], { input: other.value })).toMatchObject({ code: 0 })
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 0 })
    const { body } = await other.get(`/api/v1/operations?engagementId=${tester.engagementId}`)
    expect(body.data).toHaveLength(1)
  })

  test('an output file of the command itself: what is imported later is that of its own command', async () => {
    await behindGateway({ '10.0.0.0/24': 'allow' })
    const env = tester.program('nmap', 'cp "$HOME/nmap.xml" "$HOME/own.xml"')
    writeFileSync(inHome('nmap.xml'), NMAP_XML)
    const command = ['nmap', '-oX', inHome('own.xml'), '10.0.0.5']
    expect(await tester.cli.run(['run', '--later', '--', ...command], { env })).toMatchObject({ code: 0 })
    // Another command, of another client, writes the same file before the first is sent.
    writeFileSync(inHome('own.xml'), NMAP_XML.replaceAll('10.0.0.5', '192.0.2.77'))
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 0 })
    const { body } = await tester.key.get(`/api/v1/results?engagementId=${tester.engagementId}`)
    const found = JSON.stringify(body.data)
    expect([found.includes('10.0.0.5'), found.includes('192.0.2.77')]).toEqual([true, false])
    // A file from before the command is not its output.
    tester.program('nmap', 'exit 1')
    utimesSync(inHome('own.xml'), 1_700_000_000, 1_700_000_000)
    expect(await tester.cli.run(['run', '--', ...command], { env })).toMatchObject({ code: 1 })
    expect(await importsOf()).toHaveLength(1)
  })

  test('an entry that the server never takes is named, does not hold up others, and can be dropped', async () => {
    await behindGateway({ '10.0.0.5': 'allow' })
    const env = tester.program('curl', 'exit 0')
    await tester.cli.run(['run', '--later', '--', 'curl', '10.0.0.5/first'], { env })
    const first = tester.engagementId
    const { body } = await tester.key.post('/api/v1/engagements', { name: 'Second' })
    await tester.cli.run(['run', '--later', '--engagement', body.data.id, '--', 'curl', '10.0.0.5/second'], { env })
    for (const status of ['completed', 'archived'])
      expect((await tester.key.patch(`/api/v1/engagements/${first}`, { status })).status).toBe(200)
    const synced = await tester.cli.run(['sync'])
    expect(synced).toMatchObject({ code: 7, stdout: 'Recorded: curl 10.0.0.5/second\n' })
    expect(synced.stderr).toContain('kept in the outbox: curl 10.0.0.5/first: This engagement is archived')
    const [entry] = await listed()
    expect(await tester.cli.run(['sync', '--drop', entry?.id ?? ''])).toMatchObject({ code: 0 })
    expect(await listed()).toEqual([])
  })
})

const numberIn = (file: string): string => {
  const text = readFileSync(file, 'utf8').trim()
  if (text === '') throw new Error(`${file} is empty`)
  return text
}
