import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../src/features/mcp/tools/all-tools.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { type Cli, downloadCli, NODES } from '../support/cli/cli-process.ts'
import { clientOf, ERAS } from '../support/clients/mcp-client.ts'
import { isShell } from '../support/document/documented.ts'
import { parseMarkdown } from '../support/inputs/markdown.ts'

const DOCUMENT = 'docs/mcp.md'
const { blocks } = parseMarkdown(readFileSync(DOCUMENT, 'utf8'))
const SCOPES = ['organizations:read', 'targets:read', 'wiki:read', 'wiki:write'] as const

let app: TestApp
let key: Awaited<ReturnType<TestApp['withKey']>>
let cli: Cli
let variables: Record<string, string>

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(SCOPES)
  cli = await downloadCli(app)
  const bin = path.join(cli.home, 'bin')
  mkdirSync(bin)
  cpSync(cli.file, path.join(bin, 'sortie.mjs'))
  chmodSync(path.join(bin, 'sortie.mjs'), 0o755)
  symlinkSync('sortie.mjs', path.join(bin, 'sortie'))
  variables = { HOME: cli.home, PATH: [bin, path.dirname(NODES.at(-1)?.file ?? ''), process.env['PATH']].join(':') }
  expect((await cli.run(['login', app.origin, '--key'], { input: `${key.value}\n` })).code).toBe(0)
})
afterAll(async () => {
  cli.remove()
  await app.close()
})

describe(DOCUMENT, () => {
  const here = (text: string) =>
    text
      .replaceAll('https://sortie.example', app.origin)
      .replaceAll('${SORTIE_KEY}', key.value)
      .replaceAll('svc_live_...', key.value)

  test('the command lists the tools of the key', async () => {
    const commands = blocks.filter(({ lang, text }) => isShell(lang) && !text.startsWith('npx '))
    expect(commands).toHaveLength(1)
    const { stdout } = await promisify(execFile)('sh', ['-ec', here(commands[0]?.text ?? '')])
    const { tools } = JSON.parse(stdout).result as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toContain('check_scope')
    expect(tools.map(({ name }) => name)).not.toContain('propose_scan')
  })

  test('the settings of each client connect it', async () => {
    const settings = blocks.filter(({ lang }) => lang === 'json').map(({ text }) => JSON.parse(here(text)))
    expect(settings).toHaveLength(2)
    for (const { mcpServers } of settings) {
      const { url, headers, command, args } = mcpServers.sortie
      const client = new Client({ name: 'documented', version: '1.0.0' })
      await client.connect(
        url === undefined
          ? new StdioClientTransport({ command, args, env: variables })
          : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
      )
      expect(await clientOf(client).tools()).toContain('write_page')
      await client.close()
    }
  })

  test('its table has every tool', () => {
    const text = readFileSync(DOCUMENT, 'utf8')
    const listed = text.split('\n').flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
    expect(listed.map(([, name]) => name).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted())
  })
})

describe('sortie mcp', () => {
  test.each(ERAS)('bridges the official client of %s to the instance', async (era, mode) => {
    const client = new Client({ name: 'stdio', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command: 'sortie', args: ['mcp'], env: variables }))
    expect(client.getNegotiatedProtocolVersion()).toBe(era)
    const { call } = clientOf(client)
    const engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: era })).body.data.id
    const names = await Promise.all(['a', 'b', 'c'].map((title) => call('write_page', { engagementId, title })))
    expect(names.map(({ value }) => value.title)).toEqual(['a', 'b', 'c'])
    const page = await client.readResource({ uri: `sortie://pages/${names[0]?.value.id}` })
    expect(JSON.stringify(page)).toContain(engagementId)
    expect((await call('get_page', { pageId: 'ß' })).value).toMatchObject({ error: { code: 'NOT_FOUND' } })
    await client.close()
  })

  test('answers a request that is refused, and ends with its input', async () => {
    const lines = ['no json', '{"jsonrpc":"2.0","id":7,"method":"ping"}', '{"jsonrpc":"2.0","method":"ping"}']
    const env = { SORTIE_URL: app.origin, SORTIE_KEY: 'svc_live_0000000000000000000000000000000000000000000' }
    const refused = await cli.run(['mcp'], { input: `${lines.join('\n')}\n`, env })
    const answers = refused.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32_700 }) })
    expect(answers).toContainEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_000, message: expect.stringMatching(/key is not valid/) },
    })
    expect(refused).toMatchObject({ code: 0, stderr: expect.stringMatching(/^sortie: /) })
    expect(refused.stdout + refused.stderr).not.toContain(env.SORTIE_KEY)
    expect((await cli.run(['mcp'], { env: { SORTIE_URL: 'http://127.0.0.1:9', HOME: '/nowhere' } })).code).toBe(5)
  })
})
