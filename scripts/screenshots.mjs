// npm run screenshots: pictures of all pages with the demonstration data. The data is in data/screenshots, made the
// first time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { buildServer } from './build/build-server.mjs'
import { buildWeb } from './build/build-web.mjs'
import { chooseOwnSettings } from './first-settings.mjs'
import { environment, install, node, ROOT, run } from './runtime.mjs'

const args = process.argv.slice(2)

const freePort = async () => {
  const server = createServer()
  server.on('error', ({ message }) => {
    console.error(`There is no free port: ${message}`)
    process.exit(1)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

install()
if (args.includes('--states')) process.exit(run('playwright', ['test', '-c', 'e2e/states.config.ts']))
if (!buildWeb()) process.exit(1)
const { main } = buildServer()
const password = chooseOwnSettings(
  path.join(ROOT, 'data/screenshots'),
  'Made by `npm run screenshots`, for pictures only.',
)
process.env.PORT = String(await freePort())
process.env.HOST = '127.0.0.1'
process.env.LOG_LEVEL = 'warn'
const seeded = run(node(), ['server/src/operator/demo/demo.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
if (seeded !== 0) process.exit(seeded)
const server = spawn(node(), [main], { cwd: ROOT, env: environment(), stdio: ['ignore', 'ignore', 'inherit'] })
server.on('error', ({ message }) => {
  console.error(`The server did not start: ${message}`)
  process.exit(1)
})
const status = run(node(), ['e2e/pictures/take.ts', ...args], {
  env: { ...environment(), SORTIE_ORIGIN: `http://localhost:${process.env.PORT}`, SORTIE_PASSWORD: password },
})
server.kill('SIGTERM')
await once(server, 'exit')
process.exit(status)
