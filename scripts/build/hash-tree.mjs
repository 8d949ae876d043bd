// Prints one hash over names and contents of the files below the given paths. Skips the output of installing, building
// and testing.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const SKIPPED = new Set(['node_modules', 'dist', '.cache'])

const hash = createHash('sha256')

const add = (file) => {
  if (!statSync(file).isDirectory()) {
    const bytes = readFileSync(file)
    hash.update(`${file.split(path.sep).join('/')}\0${bytes.length}\0`).update(bytes)
    return
  }
  for (const name of readdirSync(file).sort()) if (!SKIPPED.has(name)) add(path.join(file, name))
}

for (const file of process.argv.slice(2)) add(file)
process.stdout.write(hash.digest('hex'))
