import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { createTester, type Tester } from '../support/cli/cli-engagement.ts'

let app: TestApp
let tester: Tester

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())
afterEach(() => tester.cli.remove())

const outbox = () => {
  const directory = path.join(tester.cli.home, '.local/state/sortie/outbox')
  return existsSync(directory) ? readdirSync(directory) : []
}

/** A program that writes a file, so that it shows whether it ran. */
const ran = () => existsSync(path.join(tester.cli.home, 'ran'))
const TOUCH = 'echo "$@" > "$HOME/ran"; echo screen; exit 3'

describe('sortie run', () => {
  test('nmap runs in scope: its screen is its own, the operation log has the command, and its output is imported', async () => {
    tester = await createTester(app, { '127.0.0.0/24': 'allow' })
    const command = ['nmap', '-sT', '-n', '-Pn', '-p', '1', '127.0.0.1']
    const ended = await tester.cli.run(['run', '--', ...command])
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stdout).toContain('Nmap done: 1 IP address')
    expect(ended.stderr).toContain('sortie: added to the command: -oX ')
    expect(ended.stderr).toContain('sortie: recorded, with 1 entry in the operation log.')
    expect(ended.stderr).toMatch(/nmap-[0-9a-f-]+\.xml is imported: \d+ new/)
    const operations = await tester.operations()
    expect(operations).toEqual([
      expect.objectContaining({
        kind: 'run',
        address: '127.0.0.1',
        host: null,
        command: command.join(' '),
        exitCode: 0,
        overrideReason: null,
        sourceAddress: '127.0.0.1',
        by: { id: tester.key.keyId, name: 'test key' },
      }),
    ])
    const { body } = await tester.key.get(`/api/v1/imports?engagementId=${tester.engagementId}`)
    expect(body.data).toEqual([expect.objectContaining({ format: 'nmap', state: 'applied' })])
    expect(outbox()).toEqual([])
  })

  test('a target out of scope is refused with its rule, and nothing runs or is recorded', async () => {
    tester = await createTester(app, { '10.0.0.0/24': 'allow', '10.0.0.7': 'deny' })
    const env = tester.program('curl', TOUCH)
    const ended = await tester.cli.run(['run', '--', 'curl', 'http://10.0.0.7/'], { env })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toContain('sortie: http://10.0.0.7/ is out of scope: denied by 10.0.0.7')
    expect(ran()).toBe(false)
    expect(outbox()).toEqual([])
    expect(await tester.operations()).toEqual([])
  })

  test('the exit code is that of the program, and it does not see the key', async () => {
    tester = await createTester(app, { '10.0.0.0/24': 'allow' })
    const env = tester.program('curl', 'echo "key=$SORTIE_KEY"; exit 3')
    const ended = await tester.cli.run(['run', '--', 'curl', '-u', 'ada:secret', 'https://10.0.0.5:8443/x'], {
      env: { ...env, SORTIE_URL: app.origin, SORTIE_KEY: tester.key.value },
    })
    expect(ended.code).toBe(3)
    expect(ended.stdout).toBe('key=\n')
    expect(await tester.operations()).toEqual([
      expect.objectContaining({
        command: "curl -u 'ada:***' https://10.0.0.5:8443/x",
        exitCode: 3,
        address: '10.0.0.5',
        port: 8443,
        protocol: 'https',
      }),
    ])
  })

  test('--override runs it with a reason, which the operation log and the audit log have', async () => {
    tester = await createTester(app, { '10.0.0.5': 'allow' })
    const env = tester.program('curl', TOUCH)
    expect(await tester.cli.run(['run', '--override', ' ', '--', 'curl', '10.0.0.9'], { env })).toMatchObject({
      code: 2,
    })
    expect(ran()).toBe(false)
    const ended = await tester.cli.run(['run', '--override', 'agreed by phone', '--', 'curl', '10.0.0.9'], { env })
    expect(ended).toMatchObject({ code: 3, stdout: 'screen\n' })
    expect(ended.stderr).toContain('overridden (agreed by phone): http://10.0.0.9 is out of scope')
    expect(await tester.operations()).toEqual([
      expect.objectContaining({
        address: '10.0.0.9',
        overrideReason: 'agreed by phone',
        note: expect.stringContaining('is out of scope'),
      }),
    ])
    const owner = await app.signedIn('owner')
    const { body } = await owner.get('/api/web/audit?action=operation.recorded')
    expect(JSON.stringify(body.data)).toContain('agreed by phone')
  })

  test('outside of the testing hours nothing runs, and in an archived engagement not even with an override', async () => {
    tester = await createTester(app, { '10.0.0.5': 'allow' }, { startsOn: '2020-01-01', endsOn: '2020-01-31' })
    const env = tester.program('curl', TOUCH)
    const closed = await tester.cli.run(['run', '--', 'curl', '10.0.0.5'], { env })
    expect(closed).toMatchObject({ code: 3, stdout: '' })
    expect(closed.stderr).toContain('It is outside the testing hours')
    const path = `/api/v1/engagements/${tester.engagementId}`
    for (const status of ['completed', 'archived']) expect((await tester.key.patch(path, { status })).status).toBe(200)
    const archived = await tester.cli.run(['run', '--override', 'why not', '--', 'curl', '10.0.0.5'], { env })
    expect(archived).toMatchObject({ code: 7, stdout: '' })
    expect(ran()).toBe(false)
  })

  test('targets that are not clear are refused: random ones, standard input, unknown programs, networks by name', async () => {
    tester = await createTester(app, { '10.0.0.0/24': 'allow', '*.contoso.example': 'allow' })
    const env = tester.program('nmap', TOUCH)
    tester.program('nuclei', TOUCH)
    tester.program('probe', TOUCH)
    for (const command of [
      ['nmap', '-iR', '10'],
      ['nmap', '-iL', '-'],
      ['nmap', 'www.contoso.example/24'],
      ['nmap', '--script-args', 'newtargets', '10.0.0.5'],
      ['nmap'],
      ['nuclei', '-t', 'x.yaml'],
      ['probe', '10.0.0.5'],
    ]) {
      const ended = await tester.cli.run(['run', '--', ...command], { env })
      expect(ended, command.join(' ')).toMatchObject({ code: 2, stdout: '' })
    }
    expect(ran()).toBe(false)
    const named = await tester.cli.run(['run', '--target', '10.0.0.5', '--', 'probe', '--fast'], { env })
    expect(named).toMatchObject({ code: 3, stdout: 'screen\n' })
    expect(await tester.operations()).toEqual([
      expect.objectContaining({ address: '10.0.0.5', command: 'probe --fast' }),
    ])
  })

  test('a list of targets is read, and one of them that is out refuses all', async () => {
    tester = await createTester(app, { '10.0.0.0/24': 'allow' })
    const env = tester.program('nmap', TOUCH)
    const list = path.join(tester.cli.home, 'targets.txt')
    writeFileSync(list, '10.0.0.5 # the shop\n10.0.0.6\n\n')
    expect(await tester.cli.run(['run', '--', 'nmap', '-iL', list], { env })).toMatchObject({
      code: 3,
      stdout: 'screen\n',
    })
    expect((await tester.operations()).map(({ address }) => address).toSorted()).toEqual(['10.0.0.5', '10.0.0.6'])
    writeFileSync(list, '10.0.0.5\n192.0.2.1\n')
    expect(await tester.cli.run(['run', '--', 'nmap', '-iL', list], { env })).toMatchObject({ code: 3, stdout: '' })
    expect(await tester.operations()).toHaveLength(2)
  })

  test('denied parts of an allowed network are left out by nmap, and refuse it for programs that cannot', async () => {
    tester = await createTester(app, { '10.0.0.0/29': 'allow', '10.0.0.2': 'deny', '10.0.0.5': 'deny' })
    const env = tester.program('nmap', TOUCH)
    tester.program('naabu', TOUCH)
    const refused = await tester.cli.run(['run', '--', 'naabu', '-host', '10.0.0.0/29'], { env })
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('10.0.0.2 is denied by 10.0.0.2')
    expect(ran()).toBe(false)
    const ended = await tester.cli.run(['run', '--no-import', '--', 'nmap', '10.0.0.0/29', '--exclude', '10.0.0.1'], {
      env,
    })
    expect(ended.stdout).toBe('screen\n')
    expect(ended.stderr).toContain('left out, since out of scope: 10.0.0.2, 10.0.0.5')
    expect(readFileSync(path.join(tester.cli.home, 'ran'), 'utf8')).toBe(
      '10.0.0.0/29 --exclude 10.0.0.1,10.0.0.2,10.0.0.5\n',
    )
    expect((await tester.operations()).map(({ address }) => address)).toEqual(
      expect.arrayContaining(['10.0.0.0', '10.0.0.3', '10.0.0.4', '10.0.0.6', '10.0.0.7']),
    )
    expect(await tester.operations()).toHaveLength(5)
  })

  test('a name that leads to a denied address is refused', async () => {
    tester = await createTester(app, { localhost: 'allow', '127.0.0.0/8': 'deny', '::1': 'deny' })
    const env = tester.program('curl', TOUCH)
    const ended = await tester.cli.run(['run', '--', 'curl', 'http://localhost:8080/'], { env })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toContain('localhost leads to ')
    expect(ran()).toBe(false)
  })

  test('caution and values without a rule run, with a line that says so', async () => {
    tester = await createTester(app, { '10.0.0.5': 'caution' })
    const env = tester.program('curl', TOUCH)
    const ended = await tester.cli.run(['run', '--', 'curl', '10.0.0.5', '10.0.0.6'], { env })
    expect(ended.stdout).toBe('screen\n')
    expect(ended.stderr).toContain('caution, http://10.0.0.5: marked for caution by 10.0.0.5')
    expect(ended.stderr).toContain('http://10.0.0.6 is covered by no rule')
  })

  test('a program that does not exist is a failure, and leaves nothing', async () => {
    tester = await createTester(app, { '10.0.0.5': 'allow' })
    expect(await tester.cli.run(['run', '--target', '10.0.0.5', '--', 'no-such-program'])).toMatchObject({ code: 1 })
    expect(outbox()).toEqual([])
  })
})
