// npm run openapi: writes docs/openapi.json and the other documents that are generated from the sources.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { node, requireInstalled, run } from '../runtime.mjs'

requireInstalled({ withDev: true })
if (!process.features.typescript) process.exit(run(node(), [fileURLToPath(import.meta.url)]))

const { GENERATED_FILES } = await import('../../server/src/published/documents.ts')
for (const [file, make] of Object.entries(GENERATED_FILES)) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = await make(before)
  if (after === before) continue
  writeFileSync(file, after)
  console.log(`written: ${file}`)
}
