import { execFile, spawn } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { createStage, eventually, freePort } from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { isShell } from '../../support/document/documented.ts'
import { parseMarkdown } from '../../support/inputs/markdown.ts'

const { blocks } = parseMarkdown(readFileSync('docs/webhooks.md', 'utf8'))
const [receiverProgram = '', verifyProgram = ''] = blocks.filter(({ lang }) => lang === 'js').map(({ text }) => text)
const commands = blocks
  .filter(({ lang, text }) => isShell(lang) && !text.startsWith('npm install'))
  .map(({ text }) => text)

const stage = createStage()
afterAll(() => stage.close())

test('the commands and programs of docs/webhooks.md work as they are shown, in their order', async () => {
  const server = await stage.server({ env: { EGRESS_ALLOW: '127.0.0.1' } })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin), [
    'organizations:read',
    'organizations:write',
    'reports:read',
    'reports:write',
    'targets:read',
  ])
  const directory = stage.directory()
  symlinkSync(path.resolve('node_modules'), path.join(directory, 'node_modules'))
  const port = await freePort()
  const [settings = '', create = '', ...rest] = commands
  const started = rest.find((command) => command.includes('node receiver.mjs')) ?? ''
  const later = rest.filter((command) => command !== started)
  const filled = settings.replace('https://sortie.example.com', server.origin).replace('svc_live_...', key.value)
  expect(filled).toBe(`BASE=${server.origin} KEY=${key.value}`)
  /** @returns what the commands printed, each answer on its own line */
  const run = async (...scripts: string[]) => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', [filled, ...scripts].join('\necho\n')], {
      cwd: directory,
    })
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  }
  const [created] = await run(create.replace('https://hooks.contoso.example/sortie', `http://127.0.0.1:${port}/`))
  expect(created.data.secret).toMatch(/^whsec_/)

  writeFileSync(path.join(directory, 'receiver.mjs'), receiverProgram)
  writeFileSync(path.join(directory, 'verify.mjs'), verifyProgram)
  let printed = ''
  const receiver = spawn('sh', ['-ec', started.replace('node receiver.mjs', `exec ${process.execPath} receiver.mjs`)], {
    cwd: directory,
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stage.add(() => receiver.kill())
  receiver.stdout.on('data', (data) => (printed += data))
  const ask = async (body: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status
  await eventually(async () => expect(await ask('{}')).toBe(400))

  const engagementId = (await key.post('/api/v1/engagements', { name: 'Perimeter' })).body.data.id
  const finding = (await key.post('/api/v1/findings', { engagementId, title: 'XSS', severity: 'high' })).body.data
  await eventually(() =>
    expect(printed).toMatch(new RegExp(`^finding\\.created http\\S+/findings/${finding.id}$`, 'm')),
  )

  const [pinged, changed, waiting, resent, rotated, deleted] = await run(...later)
  expect(pinged.data.event).toBe('ping')
  expect(changed.data).toMatchObject({ events: ['finding.created', 'result.created'], minSeverity: 'high' })
  expect(waiting.meta).toBeDefined()
  expect(resent.data.endpointId).toBe(created.data.id)
  expect(rotated.data.secret).not.toBe(created.data.secret)
  expect(deleted).toEqual({ data: { deleted: true, id: created.data.id } })

  const { verify } = await import(path.join(directory, 'verify.mjs'))
  const { Webhook } = await import('standardwebhooks')
  const { secret } = created.data as { secret: string }
  const [id, body] = ['whd_1', '{"type":"ping","data":{}}']
  const signedAt = (time: number) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time / 1000)),
    'webhook-signature': `v1,wrong ${new Webhook(secret).sign(id, new Date(time), body)}`,
  })
  const now = Date.now()
  expect(verify(secret, signedAt(now), body)).toEqual({ type: 'ping', data: {} })
  expect(() => verify(secret, signedAt(now), `${body} `)).toThrow('signature')
  expect(() => verify(rotated.data.secret, signedAt(now), body)).toThrow('signature')
  expect(() => verify(secret, signedAt(now - 3_600_000), body)).toThrow('outside the tolerance')
  expect(await ask(body, signedAt(now))).toBe(204)
  expect(await ask(`${body} `, signedAt(now))).toBe(400)
})
