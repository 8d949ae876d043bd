import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { GENERATED_FILES } from './documents.ts'

// npm run openapi: rewrites what documents.ts makes. Run from the root of the repository.
for (const [file, make] of Object.entries(GENERATED_FILES)) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = make(before)
  if (after === before) continue
  writeFileSync(file, after)
  console.log(`written: ${file}`)
}
