// npm run request-path: lists the files of the server and the contract whose functions run during one request with a
// key.
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { node, ROOT, requireInstalled, run } from '../runtime.mjs'

const PATH = '/api/v1/organizations/current'
/** Timers run during some requests; the code of the request runs during each. */
const REQUESTS = 5

requireInstalled({ withDev: true })
if (!process.features.typescript) process.exit(run(node(), [fileURLToPath(import.meta.url)]))

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-request-path-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const origin = `http://127.0.0.1:${await freePort()}`
const environment = {
  ENV_FILE: '',
  PORT: new URL(origin).port,
  HOST: '127.0.0.1',
  DATA_DIR: directory,
  STORAGE_PATH: path.join(directory, 'uploads'),
  SESSION_SECRET: 'a secret of one measurement that is thrown away',
  ADMIN_EMAIL: 'owner@example.com',
  ADMIN_PASSWORD: 'a password of one measurement',
  LOG_LEVEL: 'silent',
}
const own = /^(DATABASE|REDIS|SMTP|FRONTEND)_URL|^(SORTIE|AUTH|ADMIN|BILLING)_/
for (const name of Object.keys(process.env)) if (own.test(name)) delete process.env[name]
Object.assign(process.env, environment)

const ask = async (method, url, headers = {}, body) => {
  const json = body && { 'content-type': 'application/json' }
  const answer = await fetch(origin + url, {
    method,
    headers: { ...headers, ...json },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${await answer.text()}`)
  return { headers: answer.headers, data: (await answer.json()).data }
}

/** Creates a key for the first organization. */
const makeKey = async () => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = environment
  const { headers } = await ask('POST', '/api/auth/sign-in/email', {}, { email, password })
  const cookie = headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const organizations = await ask('GET', '/api/web/organizations', { cookie })
  const session = { cookie, 'x-organization': organizations.data[0].id }
  const key = await ask('POST', '/api/web/api-keys', session, {
    name: 'request path',
    environment: 'live',
    scopes: ['organizations:read'],
  })
  return key.data.value
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await import('../../server/src/process/main.ts')
const authorization = `Bearer ${await makeKey()}`

/** @returns files with a function that was called since the last call */
const filesThatRan = async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0))
  const files = ran
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => path.relative(ROOT, fileURLToPath(url)))
  return new Set(files.filter((file) => /^(server|contract)\/src\//.test(file)))
}

let passed
for (let i = 0; i <= REQUESTS; i++) {
  await filesThatRan()
  await ask('GET', PATH, { authorization })
  const files = await filesThatRan()
  // The first request includes one-time work.
  if (i > 0) passed = passed ? passed.intersection(files) : files
}
console.log(
  `GET ${PATH} by key passes ${passed.size} files:\n${[...passed]
    .toSorted()
    .map((file) => `  ${file}`)
    .join('\n')}`,
)
process.kill(process.pid, 'SIGTERM')
