// npm run demo: a server with believable data in a directory of its own; what npm start uses is not touched.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildServer } from './build-server.mjs'
import { buildWeb } from './build-web.mjs'
import { become, install, node, ROOT, run } from './runtime.mjs'

install()
buildWeb()

const directory = path.join(ROOT, 'data/demo')
mkdirSync(directory, { recursive: true })
const file = path.join(directory, 'env')
if (!existsSync(file)) writeFileSync(file, `SESSION_SECRET=${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })

// Only these: the settings of the real installation, its database above all, have no part in this.
for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE', 'REDIS_URL', 'REDIS_URL_FILE', 'SMTP_URL', 'SMTP_URL_FILE', 'FRONTEND_URL', 'HOST'])
  delete process.env[name]
Object.assign(process.env, { ENV_FILE: file, DATA_DIR: directory, STORAGE_PATH: path.join(directory, 'uploads') })
// Its own little network on this machine may be scanned.
process.env.EGRESS_ALLOW ??= '127.66.0.0/29'

const status = run(node(), ['server/src/operator/demo.ts'])
if (status !== 0) process.exit(status)
const network = spawn(node(), ['server/src/operator/demo-network.ts'], { cwd: ROOT, stdio: ['pipe', 'ignore', 'inherit'] })
network.unref()
network.stdin.unref()
console.error(`  To remove it: stop this server, then delete ${path.relative(process.cwd(), directory)}\n`)
become(node(), [buildServer().main])
