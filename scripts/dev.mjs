// npm run dev: a database, the server and the web interface for development, each reloaded when its sources change. Its data
// are in data/dev; what `npm start` uses is not touched.
//
//   npm run dev -- --demo          fills the database with demonstration data first
//   npm run dev -- --inspect       lets a debugger attach to the server at 127.0.0.1:9229
//   npm run dev -- --port 5174     serves the page on another port
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chooseOwnSettings } from './first-settings.mjs'
import { environment, install, node, ROOT } from './runtime.mjs'

/** What the server is made of. Migrations are not imported, so the folders are watched and not the modules. */
const WATCHED = ['server/src', 'server/migrations', 'contract/src', 'embedded-postgres/src']

const { demo, inspect, port } = parseArgs({
  options: {
    demo: { type: 'boolean', default: false },
    inspect: { type: 'boolean', default: false },
    port: { type: 'string', default: '5173' },
  },
}).values

install()

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port: chosen } = server.address()
      server.close(() => resolve(chosen))
    })
  })

const directory = path.join(ROOT, 'data/dev')
const address = `http://localhost:${port}`
const password = chooseOwnSettings(
  directory,
  'Made by `npm run dev`. Every account of the demonstration data has this password.',
)
// Vite passes requests under /api on to the server, so the page's port is the only one that a developer uses.
Object.assign(process.env, { HOST: '127.0.0.1', PORT: String(await freePort()), FRONTEND_URL: address })
process.env.LOG_LEVEL ??= 'warn'

/** Processes that run, by name. */
const running = new Map()
let isStopping = false

/** @param options.ipc whether the process is to end when this one is killed */
const start = (name, args, { ipc = false, stdin = 'ignore' } = {}) => {
  const stdio = [stdin, 'inherit', 'inherit', ...(ipc ? ['ipc'] : [])]
  const child = spawn(node(), args, { cwd: ROOT, env: environment(), stdio })
  // One that cannot be started has no exit.
  const failed = new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
  })
  const exited = new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
  const ended = Promise.race([failed, exited]).then((code) => {
    running.delete(name)
    return code
  })
  running.set(name, { child, ended })
  return { child, ended }
}

const end = async (name) => {
  const found = running.get(name)
  found?.child.kill('SIGTERM')
  await found?.ended
}

/** Ends everything, the database last: the server finishes its requests first. */
const stop = async (status) => {
  if (isStopping) return
  isStopping = true
  await Promise.all([...running.keys()].filter((name) => name !== 'database').map(end))
  await end('database')
  process.exit(status)
}

/** Starts a part without which the others are of no use: when it ends, they end too. */
const startNeeded = (name, args, options) => {
  const part = start(name, args, options)
  void part.ended.then((code) => {
    if (!isStopping) console.error(`\n  The ${name} ended with code ${code}; the rest is stopped.\n`)
    return stop(1)
  })
  return part
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))

const database = startNeeded('database', ['server/src/operator/dev-database.ts'], { ipc: true })
const isReady = await Promise.race([
  new Promise((resolve) => database.child.once('message', () => resolve(true))),
  database.ended.then(() => false),
])
if (isReady && demo && !isStopping) {
  if ((await start('demonstration data', ['server/src/operator/demo/demo.ts']).ended) !== 0) await stop(1)
  // Its standard input ends with this process, and the network with it.
  else if (!isStopping) start('demonstration network', ['server/src/operator/demo/demo-network.ts'], { stdin: 'pipe' })
}
if (isReady && !isStopping) {
  // A server that fails is shown; the next change of a source starts it again.
  const watching = [
    '--watch',
    '--watch-preserve-output',
    ...WATCHED.map((each) => `--watch-path=${each}`),
    ...(inspect ? ['--inspect'] : []),
  ]
  startNeeded('watcher of the server', [...watching, 'scripts/dev-server.mjs'])
  startNeeded('web interface', [
    'node_modules/vite/bin/vite.js',
    'web',
    '--port',
    port,
    '--strictPort',
    '--clearScreen',
    'false',
    '--logLevel',
    'warn',
  ])
  console.error(
    `\n  Open ${address} once the server is ready. Sign in as admin@example.com, password: ${password} (its first one)`,
  )
  console.error('  Data, mails and settings of this instance: data/dev. Ctrl-C stops everything.\n')
}
