import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/app/server-process.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { createTester, type Tester } from '../support/cli/cli-engagement.ts'
import { NODES } from '../support/cli/cli-process.ts'
import { type Listener, listenWith } from '../support/clients/listeners.ts'

let app: TestApp
let tester: Tester
let gateway: Listener
let isCut = false

beforeAll(async () => {
  app = await testApp({ workers: false })
  const server = createServer((incoming, outgoing) => {
    if (isCut) return void incoming.socket.destroy()
    const { method, url = '', headers } = incoming
    const forwarded = httpRequest(`${app.origin}${url}`, { method, headers }, (answer) => {
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
afterEach(() => {
  isCut = false
  tester.cli.remove()
})

const createWith = async (rules: Parameters<typeof createTester>[1], details: object = {}) => {
  tester = await createTester(app, rules, details, `http://127.0.0.1:${gateway.port}`)
}

/** The file with the rules of the engagement, and its content. */
const stored = (): { file: string; content: { readAt: string; rules: object[] } } => {
  const directory = path.join(tester.cli.home, '.local/state/sortie/rules')
  const names = existsSync(directory) ? readdirSync(directory) : []
  expect(names).toHaveLength(1)
  const file = path.join(directory, names[0] ?? '')
  return { file, content: JSON.parse(readFileSync(file, 'utf8')) }
}

const HOUR_MS = 60 * 60 * 1000

/** The rules were read so many milliseconds earlier. */
const age = (ms: number) => {
  const { file, content } = stored()
  writeFileSync(file, JSON.stringify({ ...content, readAt: new Date(Date.now() - ms).toISOString() }), { mode: 0o600 })
}

const ran = () => existsSync(path.join(tester.cli.home, 'ran'))
const TOUCH = 'echo "$@" > "$HOME/ran"'

/** Runs curl without a connection. */
const runOffline = async (target: string, options: readonly string[] = []) => {
  const env = tester.program('curl', TOUCH)
  isCut = true
  const ended = await tester.cli.run(['run', ...options, '--', 'curl', target], { env })
  isCut = false
  return ended
}

const RULES = {
  '*.contoso.example': 'allow',
  'old.contoso.example': 'caution',
  'pay.contoso.example': 'deny',
  '*.dev.contoso.example': 'deny',
  'contoso.example:8443': 'allow',
  'www.contoso.example:22': 'deny',
  'https://shop.contoso.example/admin': 'deny',
  'http://10.20.0.5/private': 'caution',
  '10.20.0.0/16': 'allow',
  '10.20.7.0/24': 'deny',
  '10.20.7.8': 'allow',
  '10.20.9.1-10.20.9.40': 'caution',
  '10.20.0.9:53/udp': 'deny',
  '2001:db8::/32': 'allow',
  '2001:db8:1::/48': 'deny',
  '192.0.2.1': 'deny',
  '[2001:db8::7]:443': 'caution',
} as const

const hosts = [
  'contoso.example',
  'www.contoso.example',
  'WWW.Contoso.Example.',
  'old.contoso.example',
  'pay.contoso.example',
  'a.dev.contoso.example',
  'dev.contoso.example',
  'shop.contoso.example',
  'münchen.contoso.example',
  'other.example',
  '10.20.0.5',
  '10.20.0.9',
  '10.20.7.7',
  '10.20.7.8',
  '10.20.9.40',
  '10.20.9.41',
  '192.0.2.1',
  '198.51.100.1',
]
const VALUES = [
  ...hosts.flatMap((host) => [
    host,
    `${host}:22`,
    `${host}:53/udp`,
    `${host}:8443`,
    `http://${host}/private/x`,
    `https://${host}/admin`,
    `https://${host}/%61dmin/../x`,
    `https://${host}:8443/`,
  ]),
  '10.20.0.0/16',
  '10.20.7.0/25',
  '10.20.9.0/24',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '10.20.0.0/15',
  '192.0.2.0/31',
  '2001:db8::1',
  '2001:db8:1::1',
  '2001:db8::/31',
  '2001:db8::7',
  '[2001:db8::7]:443',
  '64:ff9b::192.0.2.1',
  '2002:c000:201::1',
  '::ffff:10.20.7.7',
  '127.1',
  '0177.0.0.1',
  '10.20.0.300',
  'a b',
  '*.contoso.example',
  '10.20.0.1-9',
  'ftp://10.20.0.5/',
  'https://user@www.contoso.example/',
  '-x',
  'www..example',
  '10.20.0.5:0',
  'www.contoso\u200b.example',
  '１０.20.0.5',
  'https://[2001:db8:1::1]/',
  'com.contoso.app',
  'AS64500',
]

const verdictsOf = async (node?: string) => {
  const { stdout, stderr } = await tester.cli.run(['check', '--json', '-'], {
    input: VALUES.join('\n'),
    ...(node !== undefined && { node }),
  })
  return {
    verdicts: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    stderr,
  }
}

describe('check without a connection', () => {
  test.each(NODES)('decides as the server does, about many values, with $name', async ({ file }) => {
    await createWith(RULES)
    const online = await verdictsOf(file)
    expect(online.stderr).toBe('')
    expect(new Set(online.verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['in', 'out', 'caution', 'invalid']))
    isCut = true
    const offline = await verdictsOf(file)
    expect(offline.stderr).toContain('Offline: decided by the rules as they were 0 minutes ago.')
    expect(offline.verdicts).toHaveLength(VALUES.length)
    expect(offline.verdicts).toEqual(online.verdicts)
  })

  test('without any allow rule a value is unknown, as on the server', async () => {
    await createWith({ '10.0.0.1': 'deny' })
    const online = await verdictsOf()
    isCut = true
    expect((await verdictsOf()).verdicts).toEqual(online.verdicts)
    expect(online.verdicts.map(({ verdict }) => verdict)).toContain('unknown')
  })

  test('rules are stored for their owner only, say their age, and are worth nothing after a day or with another key', async () => {
    await createWith({ '10.0.0.1': 'allow' })
    expect(statSync(stored().file).mode & 0o777).toBe(0o600)
    expect(readFileSync(stored().file, 'utf8')).not.toContain(tester.key.value)
    isCut = true
    age(3 * HOUR_MS)
    const ended = await tester.cli.run(['check', '10.0.0.1'])
    expect(ended).toMatchObject({ code: 0, stdout: 'in  10.0.0.1  allowed by 10.0.0.1\n' })
    expect(ended.stderr).toContain('as they were 3 hours ago')
    for (const ms of [24 * HOUR_MS + 1_000, -HOUR_MS]) {
      age(ms)
      expect(await tester.cli.run(['check', '10.0.0.1'])).toMatchObject({ code: 8, stdout: '' })
    }
    age(0)
    const other = await app.withKey(['targets:read'], await app.createOrganization())
    expect(await tester.cli.run(['check', '10.0.0.1'], { env: { SORTIE_KEY: other.value } })).toMatchObject({
      code: 8,
      stdout: '',
    })
    writeFileSync(stored().file, 'not JSON')
    expect(await tester.cli.run(['check', '10.0.0.1'])).toMatchObject({ code: 8, stdout: '' })
  })

  test('check stores the rules that changed, and forgets those of an engagement that the key no longer sees', async () => {
    await createWith({ '10.0.0.1': 'allow' })
    const { engagementId } = tester
    await tester.key.post('/api/v1/scope-rules', { engagementId, effect: 'deny', pattern: '10.0.0.2' })
    await tester.cli.run(['check', '10.0.0.1'])
    expect(stored().content.rules).toHaveLength(2)
    const owner = await app.signedIn('owner')
    expect((await owner.delete(`/api/web/api-keys/${tester.key.keyId}`)).status).toBe(200)
    expect(await tester.cli.run(['check', '10.0.0.1'])).toMatchObject({ code: 5 })
    isCut = true
    expect(await tester.cli.run(['check', '10.0.0.1'])).toMatchObject({ code: 8, stdout: '' })
  })

  test('logout removes the rules', async () => {
    await createWith({ '10.0.0.1': 'allow' })
    const { file } = stored()
    expect(await tester.cli.run(['logout'])).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(false)
  })
})

describe('run without a connection', () => {
  test('runs what the stored rules allow, and sync records it with the time of the rules', async () => {
    await createWith({ '10.0.0.0/24': 'allow' })
    const { readAt } = stored().content
    const ended = await runOffline('http://10.0.0.5/')
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toContain('Offline: decided by the rules as they were')
    expect(ended.stderr).toContain('kept in the outbox')
    expect(ran()).toBe(true)
    expect(await tester.cli.run(['sync'])).toMatchObject({ code: 0 })
    expect(await tester.operations()).toEqual([
      expect.objectContaining({
        address: '10.0.0.5',
        note: `Decided offline, by the rules of ${readAt}.`,
        overrideReason: null,
      }),
    ])
  })

  test('refuses what is out, with its rule, and what the rules do not clearly decide with 8', async () => {
    await createWith({
      '10.0.0.0/24': 'allow',
      '10.0.0.7': 'deny',
      '10.0.0.8': 'caution',
      '10.0.0.9:443': 'deny',
      '*.invalid': 'allow',
      localhost: 'allow',
      '127.0.0.0/8': 'deny',
      '::1': 'deny',
    })
    for (const [target, code, reason] of [
      ['http://10.0.0.7/', 3, 'denied by 10.0.0.7'],
      ['http://192.0.2.1/', 3, 'covered by no rule'],
      ['http://localhost/', 3, 'localhost leads to'],
      ['http://10.0.0.8/', 8, 'Not decided offline: caution'],
      ['http://10.0.0.9:443/', 3, 'denied by 10.0.0.9:443'],
      ['http://nowhere.invalid/', 8, 'nowhere.invalid does not resolve here'],
    ] as const) {
      const ended = await runOffline(target)
      expect([target, ended.code, ended.stdout]).toEqual([target, code, ''])
      expect(ended.stderr).toContain(reason)
    }
    expect((await runOffline('http://10.0.0.7/', ['--target', '10.0.0.9'])).stderr).toContain(
      'the rule for 10.0.0.9:443 concerns a part of what is sent',
    )
    expect(ran()).toBe(false)
    const unknown = await tester.cli.run(['sync', '--list'])
    expect(unknown.stdout).toBe('')
  })

  test('refuses with 8 without rules, and with rules of yesterday; an override records its reason', async () => {
    await createWith({ '10.0.0.0/24': 'allow' })
    age(25 * HOUR_MS)
    expect(await runOffline('http://10.0.0.5/')).toMatchObject({ code: 8, stdout: '' })
    expect(ran()).toBe(false)
    expect(await runOffline('http://10.0.0.5/', ['--override', 'agreed by phone'])).toMatchObject({ code: 0 })
    expect(ran()).toBe(true)
  })

  test('refuses outside of the testing hours with 3, and in an engagement that is not active with 7', async () => {
    await createWith({ '10.0.0.0/24': 'allow' }, { startsOn: '2020-01-01', endsOn: '2020-01-31' })
    const closed = await runOffline('http://10.0.0.5/')
    expect(closed).toMatchObject({ code: 3, stdout: '' })
    expect(closed.stderr).toContain('It is outside the testing hours')
    await tester.key.patch(`/api/v1/engagements/${tester.engagementId}`, { status: 'completed' })
    await tester.cli.run(['check', '10.0.0.5'])
    expect(await runOffline('http://10.0.0.5/', ['--override', 'no'])).toMatchObject({ code: 7, stdout: '' })
    expect(ran()).toBe(false)
  })
})

/** A clock that is a week ahead once the file `later` exists. */
const LATER = `import { existsSync } from 'node:fs'
const now = Date.now.bind(Date)
Date.now = () => now() + (existsSync(process.env.HOME + '/later') ? 7 * 24 * 60 * 60 * 1000 : 0)`

test('a run that goes on after the testing hours is not ended: a line says so, and the operation log', async () => {
  const today = new Date()
  const endsOn = new Date(today.getTime() + 2 * 24 * HOUR_MS).toISOString().slice(0, 10)
  await createWith({ '10.0.0.0/24': 'allow' }, { startsOn: '2020-01-01', endsOn })
  const home = (name: string) => path.join(tester.cli.home, name)
  writeFileSync(home('clock.mjs'), LATER)
  const env = tester.program('probe', 'touch "$HOME/started"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done')
  const started = tester.cli.start(['run', '--target', '10.0.0.5', '--', 'probe'], {
    env: { ...env, NODE_OPTIONS: `--import=${home('clock.mjs')}` },
  })
  await eventually(() => statSync(home('started')))
  writeFileSync(home('later'), '')
  const warning = 'the testing hours have ended, and the program still runs'
  await eventually(() => expect(started.written().stderr).toContain(warning))
  writeFileSync(home('go'), '')
  const ended = await started.ended
  expect(ended.code).toBe(0)
  expect(await tester.operations()).toEqual([
    expect.objectContaining({ note: 'It still ran when the testing hours ended.', exitCode: 0 }),
  ])
})
