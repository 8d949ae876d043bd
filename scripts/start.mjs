// npm start: installs, builds if needed, writes a first .env, and runs the server.
import path from 'node:path'
import { buildCli } from './build/build-cli.mjs'
import { buildServer } from './build/build-server.mjs'
import { buildWeb } from './build/build-web.mjs'
import { writeFirstSettings } from './first-settings.mjs'
import { become, failRefused, install, node, ROOT } from './runtime.mjs'

install()
if (!buildWeb()) console.error('Continuing without it: the API works.')
if (!buildCli()) console.error('Continuing without it: /api/cli answers 404.')

const { ENV_FILE, ADMIN_PASSWORD, ADMIN_PASSWORD_FILE } = process.env
delete process.env.SORTIE_PASSWORD_IS_NEW
if (ENV_FILE !== '') {
  const hasPassword = !ADMIN_PASSWORD && !ADMIN_PASSWORD_FILE
  const comment =
    'Made by the first `npm start`. A variable in the environment wins over this file; docs/operating.md lists all.'
  try {
    const isWritten = writeFirstSettings(path.resolve(ROOT, ENV_FILE || '.env'), {
      comment,
      hasPassword,
      more: ['STORAGE_PATH=./data/uploads'],
    })
    // The server prints the password when it creates the account with it.
    if (isWritten && hasPassword) process.env.SORTIE_PASSWORD_IS_NEW = '1'
  } catch (error) {
    failRefused(error, 'name a file of settings with ENV_FILE')
  }
}

become(node(), [buildServer().main])
