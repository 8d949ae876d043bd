// npm start: installs, builds what needs building, writes a first .env, and runs the server.
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildServer } from './build-server.mjs'
import { buildWeb } from './build-web.mjs'
import { become, install, node, ROOT } from './runtime.mjs'

install()
if (!buildWeb()) console.error('Going on without it: the API works.')

const file = path.resolve(ROOT, process.env.ENV_FILE || '.env')
if (process.env.ENV_FILE !== '' && !existsSync(file)) {
  const lines = [
    '# Made by the first `npm start`. A variable in the environment wins over this file; docs/operating.md lists all.',
    `SESSION_SECRET=${randomBytes(32).toString('base64url')}`,
    'STORAGE_PATH=./data/uploads',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
}

become(node(), [buildServer().main])
