// npm run demo: a server with realistic data in a separate directory; does not touch the data of npm start.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { buildServer } from './build-server.mjs'
import { buildWeb } from './build-web.mjs'
import { writeFirstSettings } from './first-settings.mjs'
import { become, install, node, ROOT, run } from './runtime.mjs'

install()
buildWeb()

const directory = path.join(ROOT, 'data/demo')
mkdirSync(directory, { recursive: true })
const file = path.join(directory, 'env')
writeFirstSettings(file, { comment: 'Made by `npm run demo`, for the demonstration only. Everybody in it has this password.', hasPassword: true })
if (!/^ADMIN_PASSWORD=./m.test(readFileSync(file, 'utf8'))) {
  const where = path.relative(process.cwd(), directory)
  console.error(`The demonstration in ${where} was made by an earlier version, whose passwords are public: delete that directory and start again.`)
  process.exit(78)
}

// Removes the settings of the real installation, most importantly its database.
const REAL = ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'ADMIN_PASSWORD', 'METRICS_TOKEN'].flatMap((name) => [name, `${name}_FILE`])
for (const name of [...REAL, 'FRONTEND_URL', 'HOST', 'ADMIN_EMAIL', 'METRICS_PORT', 'SORTIE_PASSWORD_IS_NEW']) delete process.env[name]
Object.assign(process.env, { ENV_FILE: file, DATA_DIR: directory, STORAGE_PATH: path.join(directory, 'uploads') })
// Allows scans of the demo's own network on this machine.
process.env.EGRESS_ALLOW ??= '127.66.0.0/29'

const status = run(node(), ['server/src/operator/demo.ts'])
if (status !== 0) process.exit(status)
const network = spawn(node(), ['server/src/operator/demo-network.ts'], { cwd: ROOT, stdio: ['pipe', 'ignore', 'inherit'] })
network.on('error', ({ message }) => console.error(`  The network of the demonstration did not start: ${message}\n`))
network.unref()
network.stdin.unref()
console.error(`  To remove it: stop this server, then delete ${path.relative(process.cwd(), directory)}\n`)
become(node(), [buildServer().main])
