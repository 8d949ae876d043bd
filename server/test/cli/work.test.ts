import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/app/server-process.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { createTester, type Tester } from '../support/cli/cli-engagement.ts'
import { type Receiver, startReceiver } from '../support/races/receiver.ts'
import { approvedReport } from '../support/reports/approved-report.ts'

let app: TestApp
let web: Receiver
let tester: Tester
/** May do everything that testers do. */
let env: Record<string, string>
let key: Awaited<ReturnType<TestApp['withKey']>>

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => response.writeHead(url === '/missing' ? 404 : 200).end('hello'))
  app = await testApp({ env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  tester = await createTester(app, { '127.0.0.0/24': 'allow' })
  key = await app.withKey([
    ...(['organizations:read', 'organizations:write', 'targets:read', 'targets:write', 'wiki:read'] as const),
    ...(['wiki:write', 'api-requests:read', 'api-requests:write', 'reports:read', 'reports:write'] as const),
  ])
  env = { SORTIE_KEY: key.value }
})
afterAll(async () => {
  tester.cli.remove()
  await app.close()
  await web.close()
})

const run = (args: readonly string[], input = '', more: Record<string, string> = {}) =>
  tester.cli.run(args, { input, env: { ...env, ...more } })

const inHome = (name: string) => path.join(tester.cli.home, name)

const created = async (pathOf: string, body: object) => {
  const answer = await key.post(`/api/v1${pathOf}`, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const filesOf = async (): Promise<{ id: string; fileName: string; size: number }[]> =>
  (await key.get(`/api/v1/engagements/${tester.engagementId}/files`)).body.data

describe('upload', () => {
  test('stores files as they are; one that does not exist or is empty is 2, and stores none', async () => {
    writeFileSync(inHome('capture.bin'), 'bytes\u0000')
    writeFileSync(inHome('empty'), '')
    for (const name of ['no-such-file', 'empty', '.'])
      expect(await run(['upload', 'capture.bin', name])).toMatchObject({ code: 2, stdout: '' })
    expect(await filesOf()).toEqual([])
    const ended = await run(['upload', 'capture.bin', '--json'])
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
    const { id, sha256 } = JSON.parse(ended.stdout)
    expect(sha256).toBe(createHash('sha256').update('bytes\u0000').digest('hex'))
    expect(await filesOf()).toEqual([expect.objectContaining({ id, fileName: 'capture.bin', size: 6 })])
    const weak = await app.withKey(['targets:read'])
    expect(await run(['upload', 'capture.bin'], '', { SORTIE_KEY: weak.value })).toMatchObject({ code: 6, stdout: '' })
  })

  test('output of a run that no importer recognizes becomes a file, once, and what is recognized is imported', async () => {
    const programs = tester.program('feroxbuster', 'for last; do :; done; echo "not what it writes" > "$last"')
    const command = ['feroxbuster', '-u', 'http://127.0.0.1:1/', '-o', inHome('found.txt')]
    const ended = await run(['run', '--', ...command], '', programs)
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: '' })
    expect(ended.stderr).toMatch(/feroxbuster-\S+ was not imported/)
    const [, name = ''] = /(feroxbuster-\S+) is stored among the files of the engagement/.exec(ended.stderr) ?? []
    const stored = (await filesOf()).filter(({ fileName }) => fileName.startsWith('feroxbuster-'))
    expect(stored).toEqual([expect.objectContaining({ fileName: name, size: 'not what it writes\n'.length })])
    expect((await run(['sync', '--list'])).stdout).toBe('')
  })
})

describe('note', () => {
  test('makes a page of standard input, with a title from its heading, and appends to it by its title or id', async () => {
    const made = await run(['note', '--json'], '# Entry points\n\nThe VPN.\n')
    expect(made, made.stderr).toMatchObject({ code: 0, stderr: '' })
    const page = JSON.parse(made.stdout)
    expect(page).toMatchObject({ title: 'Entry points', body: 'The VPN.\n', engagementId: tester.engagementId })
    expect(await run(['note', '--append', 'Entry points'], 'The mail server.\n')).toMatchObject({
      code: 0,
      stdout: `Entry points (${page.id})\n`,
    })
    expect((await run(['note', '--append', page.id, '--json'], 'The shop.')).stdout).toContain(
      'The VPN.\\n\\nThe mail server.\\n\\nThe shop.',
    )
    expect((await run(['note'], 'no heading')).stdout).toMatch(/^Note of \d{4}-\d\d-\d\d \d\d:\d\d UTC \(wik_/)
    expect((await run(['note', '--title', 'Mine'], '# Kept\n')).stdout).toContain('Mine (wik_')
  })

  test('two that append to one page at the same time both do', async () => {
    const { id } = JSON.parse((await run(['note', '--title', 'Both', '--json'], 'start')).stdout)
    const words = ['one', 'two', 'three']
    const ended = await Promise.all(words.map((word) => run(['note', '--append', id], word)))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    const { body } = (await key.get(`/api/v1/wiki-pages/${id}`)).body.data
    for (const word of ['start', ...words]) expect(body).toContain(word)
  })

  test('without a text, with a title for a page that exists, or for a page that does not exist, nothing is written', async () => {
    expect(await run(['note'], ' \n')).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['note', '--append', 'Both', '--title', 'x'], 'x')).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['note', '--append', 'nowhere'], 'x')).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('finding new', () => {
  test('makes a finding of results, which become its affected assets', async () => {
    const ids: string[] = []
    for (const title of ['Old TLS', 'Weak cipher'])
      ids.push(
        (
          await created('/results', {
            engagementId: tester.engagementId,
            title,
            severity: 'high',
            asset: '127.0.0.1',
          })
        ).id,
      )
    const ended = await run(['finding', 'new', '--from', ...ids, '--title', 'Weak TLS', '--json'])
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toMatchObject({ title: 'Weak TLS', severity: 'high', state: 'draft' })
    const listed = await run(['finding', 'new', '--from', ids.join(',')])
    expect(listed.stdout).toMatch(/^high {2}.+ \(fnd_\w+\)\n$/)
    expect(await run(['finding', 'new'])).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['finding', 'new', '--from', `res_${'0'.repeat(26)}`])).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['finding', 'old', '--from', ids[0] ?? ''])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('request run', () => {
  const save = (url: string, more: object = {}) =>
    created('/api-requests', { engagementId: tester.engagementId, name: url, method: 'GET', url, ...more })

  test('sends a saved request: 0 if every assertion holds, 10 if one does not, with what was found', async () => {
    await created('/environments', {
      engagementId: tester.engagementId,
      name: 'staging',
      variables: [{ name: 'path', value: 'missing', secret: false }],
    })
    const assertions = [{ subject: 'status', operator: 'equals', value: 200 }]
    const { id } = await save(`${web.origin}/{{path}}`, { assertions })
    const failed = await run(['request', 'run', id, '--env', 'staging'])
    expect(failed, failed.stderr).toMatchObject({ code: 10 })
    expect(failed.stdout).toMatch(
      /^succeeded {2}GET \S+\/missing {2}404 {2}\d+ ms\nfailed {2}status {2}equals {2}200 {2}was 404\n$/,
    )
    const held = await run(['request', 'run', id, '--var', 'path=there', '--json'])
    expect(held).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(held.stdout)).toMatchObject({ status: 200, assertions: [{ passed: true }] })
    expect(await run(['request', 'run', id, '--env', 'nowhere'])).toMatchObject({ code: 1, stdout: '' })
    expect(await run(['request', 'run'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('what scope or the egress policy refuse is 3, what reaches no server 1', async () => {
    const refused = await run(['request', 'run', (await save('http://192.0.2.1/')).id])
    expect(refused).toMatchObject({ code: 3 })
    expect(refused.stderr).toMatch(/^sortie: ./)
    const url = `http://127.0.0.1:${web.port}/`
    await web.close()
    try {
      expect(await run(['request', 'run', (await save(url)).id])).toMatchObject({ code: 1 })
    } finally {
      web = await startReceiver((_request, response) => response.end('again'))
    }
  })
})

describe('report', () => {
  test('render writes the draft as it is now, download the files of an edition, each with the hash of the server', async () => {
    const owner = await app.signedIn('owner')
    const { id } = await approvedReport(owner, '/api/web')
    expect(await run(['report', 'render', id, '--format', 'html'])).toMatchObject({ code: 0, stdout: `${id}.html\n` })
    expect(readFileSync(inHome(`${id}.html`), 'utf8')).toContain('SQL injection')
    expect(await run(['report', 'render', id, '--format', 'html'])).toMatchObject({ code: 2, stdout: '' })
    const piped = await run(['report', 'render', id, '--format', 'json', '--output', '-'])
    expect(JSON.parse(piped.stdout)).toMatchObject({ report: { id } })
    const delivered = await owner.post(`/api/web/reports/${id}/deliver`, { formats: ['json'] })
    expect(delivered.status, delivered.text).toBe(201)
    const edition = delivered.body.data
    const ended = await run(['report', 'download', edition.id, '--format', 'json', '--output', 'edition.json'])
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'edition.json\n' })
    const sha256 = createHash('sha256')
      .update(readFileSync(inHome('edition.json')))
      .digest('hex')
    expect(sha256).toBe(edition.files[0].sha256)
    expect(await run(['report', 'download', edition.id])).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['report', 'render', id, '--format', 'doc'])).toMatchObject({ code: 2, stdout: '' })
    const missing = await run(['report', 'download', `edn_${'0'.repeat(26)}`])
    expect([missing.code, missing.stdout, existsSync(inHome(`edn_${'0'.repeat(26)}.pdf`))]).toEqual([1, '', false])
  })
})

describe('watch', () => {
  test('shows what changes in the engagement, of the scopes of the key, and ends with 5 when the key is deleted', async () => {
    const own = await app.withKey(['targets:read'])
    const args = ['watch', '--json']
    const started = tester.cli.start(args, { env: { SORTIE_KEY: own.value } })
    // On a slow machine, events may be missed, which a reset reports.
    const events = () =>
      started
        .written()
        .stdout.split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .filter(({ type }) => type !== 'reset')
    const other = await created('/engagements', { name: 'Another' })
    let count = 0
    const untilOneIsShown = () => {
      const ids: string[] = []
      return eventually(async () => {
        const target = { engagementId: tester.engagementId, value: `10.1.1.${++count}` }
        ids.push((await created('/targets', target)).id)
        expect(ids.some((id) => events().some((event) => event.id === id))).toBe(true)
      })
    }
    // It takes a moment until it listens.
    await untilOneIsShown()
    await created('/targets', { engagementId: other.id, value: '10.9.9.9' })
    await created('/wiki-pages', { engagementId: tester.engagementId, title: 'Not for this key' })
    await untilOneIsShown()
    expect(new Set(events().map(({ type }) => type))).toEqual(new Set(['target']))
    expect(new Set(events().map(({ engagementId }) => engagementId))).toEqual(new Set([tester.engagementId]))
    const owner = await app.signedIn('owner')
    expect((await owner.delete(`/api/web/api-keys/${own.keyId}`)).status).toBe(200)
    const ended = await started.ended
    expect(ended.code).toBe(5)
    expect(ended.stderr).not.toContain(own.value)
  })

  test('without a server it is 8', async () => {
    const unreachable = {
      SORTIE_URL: 'http://127.0.0.1:1',
      SORTIE_KEY: key.value,
      SORTIE_ENGAGEMENT: tester.engagementId,
    }
    expect(await run(['watch'], '', unreachable)).toMatchObject({ code: 8, stdout: '' })
  })
})
