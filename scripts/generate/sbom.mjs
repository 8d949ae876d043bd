// npm run sbom: prints the runtime dependencies as a CycloneDX document, from the lock file and without the network. `npm sbom
// --omit dev` would also omit packages that development tools share (pg, kysely), so this uses the lock file. With
// --platform linux-x64, packages for other platforms are left out. Each component names its licence.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

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
const { platform } = parseArgs({ options: { platform: { type: 'string' } } }).values
const [os, cpu] = platform?.split('-') ?? []

/** True if npm installs a package of these properties on the platform. The C library is that of Debian. */
const isFor = (entry) =>
  platform === undefined ||
  ((!entry.os || entry.os.includes(os)) &&
    (!entry.cpu || entry.cpu.includes(cpu)) &&
    (!entry.libc || entry.libc.includes('glibc')))

/** Licences that npm leaves out, since their packages do not write them as SPDX does. */
const licenses = new Map()

const { name: root, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const atRunTime = new Set()
for (const [location, entry] of Object.entries(packages)) {
  const { name = location.split('node_modules/').at(-1), version, dev, license } = entry
  if (dev || location === '' || !isFor(entry)) continue
  atRunTime.add(`${name}@${version}`)
  licenses.set(`${name}@${version}`, license ?? (location.includes('node_modules/') ? undefined : 'UNLICENSED'))
}
const bill = JSON.parse(stdout)
const idOf = ({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length))
const isKept = (component) => atRunTime.has(idOf(component))
bill.metadata.component.name = root
bill.components = bill.components.filter(isKept).map((component) => {
  const name = licenses.get(idOf(component))
  return component.licenses?.length || !name ? component : { ...component, licenses: [{ license: { name } }] }
})
const kept = new Set([bill.metadata.component, ...bill.components].map((component) => component['bom-ref']))
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
