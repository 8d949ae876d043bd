import { readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestClient } from '../support/app/test-client.ts'
import { type Cli, downloadCli, NODES } from '../support/cli/cli-process.ts'

let app: TestApp
let key: TestClient & { value: string; keyId: string }
let cli: Cli

beforeAll(async () => {
  app = await testApp({ workers: false, env: { FRONTEND_URL: 'http://127.0.0.1:1/base/' } })
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
})
afterAll(() => app.close())
beforeEach(async () => {
  cli = await downloadCli(app)
})
afterEach(() => cli.remove())

const createEngagement = async (name: string, details: object = {}): Promise<string> => {
  const { status, body, text } = await key.post('/api/v1/engagements', { name, details })
  expect(status, text).toBe(201)
  return body.data.id
}

const addRules = async (engagementId: string, rules: readonly { effect: string; pattern: string }[]) => {
  for (const rule of rules) {
    const { status, text } = await key.post('/api/v1/scope-rules', { engagementId, ...rule })
    expect(status, text).toBe(201)
  }
}

const signIn = () => cli.run(['login', app.origin, '--key'], { input: `${key.value}\n` })

const credentialsFile = () => path.join(cli.home, '.config/sortie/credentials.json')

describe('GET /api/cli', () => {
  test('serves one file with its version, its digest and the address of the instance, to everyone', async () => {
    const { version } = JSON.parse(readFileSync('server/package.json', 'utf8'))
    expect(cli.headers.get('x-sortie-version')).toBe(version)
    expect(cli.headers.get('repr-digest')).toBe(`sha-256=:${cli.sha256}:`)
    expect(cli.headers.get('content-disposition')).toBe('attachment; filename="sortie.mjs"')
    const text = readFileSync(cli.file, 'utf8')
    expect(text).toContain('http://127.0.0.1:1/base')
    expect(text).not.toContain('@@SORTIE_INSTANCE@@')
  })

  test('the file imports nothing but what Node has', () => {
    const imported = [...readFileSync(cli.file, 'utf8').matchAll(/^import .*? from ["']([^"']+)["']/gm)].map(
      ([, name]) => name,
    )
    expect(imported.length).toBeGreaterThan(3)
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([])
  })

  test.each(NODES)('runs with $name', async ({ file }) => {
    const { version } = JSON.parse(readFileSync('server/package.json', 'utf8'))
    expect(await cli.run(['--version'], { node: file })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect((await cli.run(['help'], { node: file })).stdout).toContain('whoami')
  })
})

describe('login, whoami, logout', () => {
  test('a key on standard input is stored for its owner only, and shown nowhere', async () => {
    const ended = await signIn()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain('Signed in to')
    expect(statSync(credentialsFile()).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(credentialsFile())).mode & 0o777).toBe(0o700)
    const whoami = await cli.run(['whoami', '--json'])
    expect(JSON.parse(whoami.stdout)).toMatchObject({
      instance: app.origin,
      key: { id: key.keyId, name: 'test key', engagementIds: null },
      organization: { id: app.organization.id, name: 'First organization', slug: app.organization.slug },
      address: '127.0.0.1',
      engagement: null,
    })
    const table = await cli.run(['whoami'])
    for (const text of [ended.stdout, whoami.stdout, table.stdout]) expect(text).not.toContain(key.value)
    expect(await cli.run(['logout'])).toMatchObject({ code: 0 })
    expect(readFileSync(credentialsFile(), 'utf8')).not.toContain(key.value)
    expect(await cli.run(['logout'])).toMatchObject({ code: 5 })
  })

  test('without an address, it signs in at the instance that the file came from', async () => {
    const ended = await cli.run(['login', '--key'], { input: `${key.value}\n` })
    expect(ended.code).toBe(8)
    expect(ended.stderr).not.toContain(key.value)
  })

  test('a key as an argument is refused, and a key that does not exist is not stored', async () => {
    const asArgument = await cli.run(['login', app.origin, key.value])
    expect(asArgument).toMatchObject({ code: 2, stdout: '' })
    expect(asArgument.stderr).not.toContain(key.value)
    const wrong = await cli.run(['login', app.origin, '--key'], { input: 'svc_live_wrong\n' })
    expect(wrong.code).toBe(5)
    expect(wrong.stderr).toMatch(/^sortie: .*Sign in with `sortie login`\. \(request [\w-]+\)\n$/)
    expect(() => statSync(credentialsFile())).toThrow('ENOENT')
    expect(await cli.run(['whoami'])).toMatchObject({ code: 5 })
  })

  test('without a terminal and without --key nothing is asked', async () => {
    expect(await cli.run(['login', app.origin], { input: `${key.value}\n` })).toMatchObject({ code: 2 })
  })

  test('credentials that others may read are refused', async () => {
    await signIn()
    chmodSync(credentialsFile(), 0o644)
    const ended = await cli.run(['whoami'])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('Others may read')
  })

  test('SORTIE_URL and SORTIE_KEY need no file', async () => {
    const env = { SORTIE_URL: `${app.origin}/api`, SORTIE_KEY: key.value }
    expect((await cli.run(['whoami'], { env })).stdout).toContain('First organization')
    expect(() => statSync(credentialsFile())).toThrow('ENOENT')
  })

  test('a damaged file of credentials is named', async () => {
    await signIn()
    writeFileSync(credentialsFile(), 'not JSON')
    expect((await cli.run(['whoami'])).stderr).toContain('credentials.json cannot be read')
  })
})

describe('use and check', () => {
  test('check tells the verdict and the rule of each value, and its exit code the worst', async () => {
    const engagementId = await createEngagement('Checked')
    await addRules(engagementId, [
      { effect: 'allow', pattern: '*.contoso.example' },
      { effect: 'allow', pattern: '10.20.0.0/24' },
      { effect: 'deny', pattern: '10.20.0.7' },
      { effect: 'caution', pattern: 'old.contoso.example' },
    ])
    await signIn()
    expect(await cli.run(['check', 'www.contoso.example'])).toMatchObject({ code: 2, stdout: '' })
    expect((await cli.run(['use', 'Checked'])).stdout).toBe(`Commands now use Checked (${engagementId}).\n`)
    expect(await cli.run(['check', 'www.contoso.example'])).toEqual({
      code: 0,
      stdout: 'in  www.contoso.example  allowed by *.contoso.example\n',
      stderr: '',
    })
    expect(await cli.run(['check', 'www.contoso.example', 'old.contoso.example'])).toMatchObject({ code: 4 })
    expect(await cli.run(['check', '-'], { input: '10.20.0.6\n\n10.20.0.7\n' })).toMatchObject({
      code: 3,
      stdout: 'in   10.20.0.6  allowed by 10.20.0.0/24\nout  10.20.0.7  denied by 10.20.0.7\n',
    })
    expect(await cli.run(['check', '10.1.1'])).toMatchObject({ code: 2 })
    const json = await cli.run(['check', '--json', '10.20.0.0/24'])
    expect(json.code).toBe(4)
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'caution', part: { value: '10.20.0.7', verdict: 'out' } })
  })

  test('outside of the testing hours check says so', async () => {
    await createEngagement('Long ago', { startsOn: '2020-01-01', endsOn: '2020-01-31' })
    await signIn()
    await cli.run(['use', 'Long ago'])
    const ended = await cli.run(['check', '10.0.0.1'])
    expect(ended.code).toBe(4)
    expect(ended.stderr).toContain('nothing may be sent now: It is outside the testing hours')
  })

  test('an engagement is found by its id or a part of its name, if only one has it', async () => {
    const id = await createEngagement('Perimeter one')
    await createEngagement('Perimeter two')
    await signIn()
    expect(await cli.run(['use', 'Perimeter'])).toMatchObject({ code: 2 })
    expect(await cli.run(['use', 'erimeter one'])).toMatchObject({ code: 0 })
    expect(await cli.run(['use', id])).toMatchObject({ code: 0 })
    expect(await cli.run(['use', 'nowhere'])).toMatchObject({ code: 1 })
  })

  test('without a server the exit code is 8, without permission 6', async () => {
    const env = { SORTIE_URL: 'http://127.0.0.1:1', SORTIE_KEY: key.value, SORTIE_ENGAGEMENT: 'eng_1' }
    expect(await cli.run(['check', '10.0.0.1'], { env })).toMatchObject({ code: 8, stdout: '' })
    const weak = await app.withKey(['wiki:read'])
    const engagementId = await createEngagement('Not yours')
    const asWeak = { SORTIE_URL: app.origin, SORTIE_KEY: weak.value, SORTIE_ENGAGEMENT: engagementId }
    expect(await cli.run(['check', '10.0.0.1'], { env: asWeak })).toMatchObject({ code: 6, stdout: '' })
  })
})

test('usage: unknown commands and options are 2, and help names every option', async () => {
  expect(await cli.run(['nmap'])).toMatchObject({ code: 2, stdout: '' })
  expect(await cli.run(['check', '--fast', 'x'])).toMatchObject({ code: 2, stdout: '' })
  expect(await cli.run([])).toMatchObject({ code: 2 })
  expect((await cli.run(['help', 'check'])).stdout).toContain('--engagement ID')
  expect((await cli.run(['check', '--help'])).stdout).toContain('--engagement ID')
})
