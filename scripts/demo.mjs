// npm run demo: a server with realistic data in a separate directory; does not touch the data of npm start.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { buildServer } from './build/build-server.mjs'
import { buildWeb } from './build/build-web.mjs'
import { chooseOwnSettings } from './first-settings.mjs'
import { become, install, node, ROOT, run } from './runtime.mjs'

install()
buildWeb()

const directory = path.join(ROOT, 'data/demo')
const comment = 'Made by `npm run demo`, for the demonstration only. Every account in it has this password.'
if (chooseOwnSettings(directory, comment) === undefined) {
  const where = path.relative(process.cwd(), directory)
  console.error(
    `The demonstration in ${where} was made by an earlier version, whose passwords are public: delete that directory and start again.`,
  )
  process.exit(78)
}

const status = run(node(), ['server/src/operator/demo/demo.ts'])
if (status !== 0) process.exit(status)
const network = spawn(node(), ['server/src/operator/demo/demo-network.ts'], {
  cwd: ROOT,
  stdio: ['pipe', 'ignore', 'inherit'],
})
network.on('error', ({ message }) => console.error(`  The network of the demonstration did not start: ${message}\n`))
network.unref()
network.stdin.unref()
console.error(`  To remove it: stop this server, then delete ${path.relative(process.cwd(), directory)}\n`)
become(node(), [buildServer().main])
