import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

/** The suite has a lock file of its own: with it, the packages of the workspace would take 50 MB more. */
const LOCKED = 'server/test/support/conformance'
/** Not below the tests: its packages bring tests and sources of their own, which walks over ours would read. */
const INSTALLED = path.resolve('node_modules/.cache/sortie-conformance')
const PACKAGE = '@modelcontextprotocol/conformance'
const SUITE = path.join(INSTALLED, 'node_modules', PACKAGE, 'dist/index.js')

const installSuite = () => {
  const lock = path.join(INSTALLED, 'package-lock.json')
  // npm writes this file last.
  const isInstalled = existsSync(path.join(INSTALLED, 'node_modules/.package-lock.json'))
  if (isInstalled && readFileSync(lock, 'utf8') === readFileSync(path.join(LOCKED, 'package-lock.json'), 'utf8')) return
  rmSync(INSTALLED, { recursive: true, force: true })
  cpSync(LOCKED, INSTALLED, { recursive: true })
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', '--prefix', INSTALLED, ...options], { cwd: INSTALLED, stdio: 'inherit' })
}

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
  installSuite()
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
  const directory = mkdtempSync(path.join(app.platform.config.DATA_DIR, 'conformance-'))
  const url = `http://localhost:${(relay.address() as AddressInfo).port}/api/mcp`
  const args = [SUITE, 'server', '--url', url, '--scenario', scenario, '--spec-version', version, '-o', directory]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, output: output + errors, directory }
}

/**
 * Checks that need a tool of the suite's own example server, which calls back or writes to the log. This server has
 * neither.
 */
const NEED_EXAMPLE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  'server-stateless': [
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-no-log-without-loglevel',
    'sep-2575-server-rejects-undeclared-capability',
  ],
}

interface Check {
  id: string
  status: string
  errorMessage?: string
}

test.each(Object.entries(SCENARIOS).flatMap(([version, names]) => names.map((name) => [version, name] as const)))(
  'the conformance suite of %s, scenario %s: every check that can be run succeeds',
  async (version, scenario) => {
    const { code, output, directory } = await run(version, scenario)
    const [file = ''] = globSync(path.join(directory, '**/checks.json'))
    const checks = JSON.parse(readFileSync(file, 'utf8')) as Check[]
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    const left = NEED_EXAMPLE_TOOLS[scenario] ?? []
    expect(
      failed.filter(({ id }) => !left.includes(id)).map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
      output,
    ).toEqual([])
    for (const id of left) expect(failed.find((check) => check.id === id)?.errorMessage, id).toMatch(/^Not testable/)
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true)
    if (left.length === 0) expect(code, output).toBe(0)
  },
)
