import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
  ],
}

let app: TestApp
let relay: http.Server

/** The suite knows no keys: the relay adds one, and passes on everything else as it came, `Host` and `Origin` as well. */
beforeAll(async () => {
  app = await testApp({ workers: false })
  const key = await app.withKey(SCOPE_NAMES)
  await key.post('/api/v1/engagements', { name: 'Contoso perimeter' })
  relay = http.createServer((request, response) => {
    const { method, url, headers } = request
    const forwarded = http.request(
      `${app.origin}${url}`,
      { method, headers: { ...headers, authorization: `Bearer ${key.value}` }, setHost: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
})
afterAll(async () => {
  relay.closeAllConnections()
  relay.close()
  await app.close()
})

const run = async (version: string, scenario: string) => {
  const url = `http://localhost:${(relay.address() as AddressInfo).port}/api/mcp`
  const args = [SUITE, 'server', '--url', url, '--scenario', scenario, '--spec-version', version, '--verbose']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, output, errors }
}

test.each(Object.entries(SCENARIOS).flatMap(([version, names]) => names.map((name) => [version, name] as const)))(
  'the conformance suite of %s, scenario %s: every check succeeds',
  async (version, scenario) => {
    const { code, output, errors } = await run(version, scenario)
    expect(code, output + errors).toBe(0)
  },
)
