// npm run sbom: prints the runtime dependencies as a CycloneDX document, from the lock file and without the network. `npm sbom
// --omit dev` would also omit packages that development tools share (pg, kysely), so this uses the lock file.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { stdout, status, stderr } = spawnSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline'],
  {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  },
)
if (status !== 0) {
  process.stderr.write(stderr)
  process.exit(1)
}
const { name: root, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const atRunTime = new Set()
for (const [location, { name, version, dev }] of Object.entries(packages)) {
  if (!dev && location !== '') atRunTime.add(`${name ?? location.split('node_modules/').at(-1)}@${version}`)
}
const bill = JSON.parse(stdout)
const isKept = ({ purl }) => atRunTime.has(decodeURIComponent(purl.slice('pkg:npm/'.length)))
bill.metadata.component.name = root
bill.components = bill.components.filter(isKept)
const kept = new Set([bill.metadata.component, ...bill.components].map((component) => component['bom-ref']))
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
