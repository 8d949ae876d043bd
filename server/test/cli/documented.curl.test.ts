import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestClient } from '../support/app/test-client.ts'
import { NODES } from '../support/cli/cli-process.ts'
import { documentedIn } from '../support/document/documented.ts'
import { type Receiver, startReceiver } from '../support/races/receiver.ts'
import { approvedReport } from '../support/reports/approved-report.ts'

const DOCUMENT = 'docs/cli.md'

let app: TestApp
let home: string
let variables: Record<string, string>

/** A command ends one line at a time; what it takes from the document is replaced by what exists here. */
const here = (text: string): string =>
  text
    .replaceAll('https://sortie.example', app.origin)
    .replaceAll('203.0.113.5', '127.0.0.1')
    .replaceAll(/\b(res|req|rpt|edn)_01jd7w2v4pf1y8m3c6k9t0r5xz/g, (_, prefix: string) => ids[prefix] ?? '')

/** Objects whose ids the document has, by prefix. */
const ids: Record<string, string> = {}
let web: Receiver

beforeAll(async () => {
  web = await startReceiver((_request, response) => response.end('hello'))
  app = await testApp({ env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  home = mkdtempSync(path.join(os.tmpdir(), 'sortie-cli-document-'))
  const key = await app.withKey([
    ...(['organizations:read', 'organizations:write', 'targets:read', 'targets:write', 'tasks:read'] as const),
    ...(['tasks:write', 'reports:read', 'reports:write', 'wiki:read', 'wiki:write'] as const),
    ...(['api-requests:read', 'api-requests:write'] as const),
  ])
  const { body } = await key.post('/api/v1/engagements', { name: 'Contoso perimeter' })
  for (const pattern of ['127.0.0.1', '*.contoso.example'])
    await key.post('/api/v1/scope-rules', { engagementId: body.data.id, effect: 'allow', pattern })
  await createObjects(key, body.data.id)
  writeFileSync(path.join(home, 'key'), `${key.value}\n`, { mode: 0o600 })
  mkdirSync(path.join(home, '.local/share'), { recursive: true })
  cpSync('server/test/fixtures/imports/nmap.xml', path.join(home, 'perimeter.xml'))
  writeFileSync(path.join(home, 'scan.sarif'), sarifOf('3.1'))
  // The oldest Node that is installed comes first.
  const nodes = path.dirname(NODES.at(-1)?.file ?? '')
  variables = { HOME: home, PATH: [path.join(home, '.local/bin'), nodes, process.env['PATH']].join(':') }
})
afterAll(async () => {
  rmSync(home, { recursive: true, force: true })
  await app.close()
  await web.close()
})

const createObjects = async (key: TestClient, engagementId: string): Promise<void> => {
  const idOf = async (resource: string, fields: object): Promise<string> => {
    const { status, body, text } = await key.post(`/api/v1/${resource}`, fields)
    expect(status, text).toBe(201)
    return body.data.id
  }
  await idOf('environments', { engagementId, name: 'staging' })
  ids['res'] = await idOf('results', { engagementId, title: 'Old TLS', severity: 'high', asset: '127.0.0.1' })
  ids['req'] = await idOf('api-requests', { engagementId, name: 'Home', method: 'GET', url: `${web.origin}/` })
  const owner = await app.signedIn('owner')
  ids['rpt'] = (await approvedReport(owner, '/api/web')).id
  const delivered = await owner.post(`/api/web/reports/${ids['rpt']}/deliver`, { formats: ['json'] })
  expect(delivered.status, delivered.text).toBe(201)
  ids['edn'] = delivered.body.data.id
}

const sarifOf = (severity: string): string =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'checker', rules: [{ id: 'R1', properties: { 'security-severity': severity } }] } },
        results: [
          {
            ruleId: 'R1',
            level: 'error',
            message: { text: 'A secret is in the source' },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 3 } } }],
          },
        ],
      },
    ],
  })

/** @returns what it wrote, and its exit code */
const shell = (text: string): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', text], { cwd: home, env: variables })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
    child.stdin.end()
  })

describe('docs/cli.md', () => {
  const blocks = documentedIn(DOCUMENT, readFileSync(DOCUMENT, 'utf8')).filter(({ isRow }) => !isRow)

  test('every command works as it is written, in the order of the document', async () => {
    expect(blocks.length).toBeGreaterThan(9)
    for (const { text } of blocks) {
      // Without a terminal, the key comes from standard input; the next test uses a terminal.
      const command = here(text).replace(
        /sortie\.mjs login(?: --key < key)?$/m,
        `sortie.mjs login ${app.origin} --key < key`,
      )
      const { code, output } = await shell(command)
      expect(code, `${text}\n${output}`).toBe(0)
    }
    const { output } = await shell('sortie operations list --json')
    const operations = output.trim().split('\n')
    expect(operations.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ kind: 'run', command: 'nmap -sT -p 443 127.0.0.1', exitCode: 0 }),
    )
    expect((await shell('sortie tasks list')).output).toContain('Check the VPN')
    expect((await shell('sortie targets list --json')).output.split('\n').length).toBeGreaterThan(1)
    expect((await shell('sortie targets list --csv')).output).toMatch(/^id,engagementId,/)
  })

  test('login --key asks on a terminal, which does not show the key', async () => {
    const key = readFileSync(path.join(home, 'key'), 'utf8')
    await shell(`curl -fsSo sortie.mjs ${app.origin}/api/cli`)
    const child = spawn('script', ['-qec', `node sortie.mjs login ${app.origin} --key`, '/dev/null'], {
      cwd: home,
      env: variables,
    })
    let shown = ''
    let isAnswered = false
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      if (isAnswered || !shown.includes('(not shown): ')) return
      isAnswered = true
      child.stdin.write(key)
    })
    const code = await new Promise((resolve) => {
      child.on('close', resolve)
    })
    expect(code, shown).toBe(0)
    expect(shown).toContain('Signed in to')
    expect(shown).not.toContain(key.trim())
  })
})

describe('lists and imports', () => {
  test('an import that reports what --fail-on names is 10, an unreadable file 1, and a list stops at its limit', async () => {
    writeFileSync(path.join(home, 'found.sarif'), sarifOf('9.8'))
    writeFileSync(path.join(home, 'nothing.bin'), 'no format at all')
    expect(await shell('sortie import --fail-on high found.sarif')).toMatchObject({ code: 10 })
    expect(await shell('sortie import found.sarif')).toMatchObject({ code: 0 })
    expect(await shell('sortie import nothing.bin')).toMatchObject({ code: 1 })
    expect(await shell('sortie import --fail-on worst found.sarif')).toMatchObject({ code: 2 })
    expect(await shell('sortie import no-such-file')).toMatchObject({ code: 2 })
    const { output } = await shell('sortie results list --json --limit 1')
    expect(output.trim().split('\n')).toHaveLength(1)
    const id: string = JSON.parse(output).id
    const { output: got } = await shell(`sortie results get ${id}`)
    expect(JSON.parse(got)).toMatchObject({ id })
  })

  test('targets are created, changed and deleted; an unknown action is 2', async () => {
    const created = await shell(`echo '{"value": "10.0.0.77"}' | sortie targets create`)
    expect(created.code, created.output).toBe(0)
    const { id } = JSON.parse(created.output)
    expect((await shell(`echo '{"tags": ["vpn"]}' | sortie targets update ${id}`)).output).toContain('"vpn"')
    expect(await shell(`sortie targets delete ${id}`)).toMatchObject({ code: 0 })
    expect(await shell(`sortie targets explode`)).toMatchObject({ code: 2 })
    expect(await shell(`echo nothing | sortie targets create`)).toMatchObject({ code: 2 })
  })

  test.each(['bash', 'zsh'])('the completion for %s is a program of it', async (name) => {
    const { code, output } = await shell(`sortie completion ${name}`)
    expect([code, output.includes('check')]).toEqual([0, true])
    const { status, stderr } = spawnSync('bash', ['-n'], { input: output, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})
