// npm run db:types: generates the TypeScript types of the database from the migrations, in a Postgres of its own.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { node, requireInstalled, run } from '../runtime.mjs'

requireInstalled({ withDev: true })
if (!process.features.typescript) process.exit(run(node(), [fileURLToPath(import.meta.url)]))

const { startEmbedded } = await import('../../server/src/platform/database/connection/embedded.ts')
const { migrate } = await import('../../server/src/platform/database/migrate.ts')
const { createLogger } = await import('../../server/src/platform/log.ts')
const { generateDatabaseTypes, TYPES_FILE } = await import('../../server/test/support/document/database-types.ts')

const directory = path.resolve('node_modules/.cache/sortie-types')
const log = createLogger('error')
rmSync(directory, { recursive: true, force: true })
mkdirSync(directory, { recursive: true })
const { settings, stop } = await startEmbedded(directory, log)
try {
  await migrate(settings, log)
  writeFileSync(TYPES_FILE, await generateDatabaseTypes(settings))
} finally {
  await stop()
  rmSync(directory, { recursive: true, force: true })
}
console.log(`written: ${TYPES_FILE}`)
