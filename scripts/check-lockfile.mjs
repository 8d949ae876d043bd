// The lock file names no download host, pins every package by its hash, and no package may run code on installation.
import { readFileSync } from 'node:fs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const problems = []
for (const [name, entry] of Object.entries(lock.packages)) {
  if (!name.startsWith('node_modules/') && !name.includes('/node_modules/')) continue
  if (entry.link || entry.inBundle) continue
  if (entry.resolved?.includes('://')) problems.push(`${name} names a download host: ${entry.resolved}`)
  if (!entry.integrity) problems.push(`${name} has no integrity hash`)
}
const npmrc = readFileSync('.npmrc', 'utf8')
for (const setting of ['ignore-scripts=true', 'omit-lockfile-registry-resolved=true']) {
  if (!npmrc.includes(setting)) problems.push(`.npmrc lacks ${setting}`)
}
for (const problem of problems) console.error(problem)
console.log(`${Object.keys(lock.packages).length} packages checked`)
process.exit(problems.length > 0 ? 1 : 0)
