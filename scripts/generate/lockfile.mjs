// Keeps package-lock.json as this project wants it; run by `npm run lock` after a dependency changed, and by the tests
// with --check: it names no download host, every package that is fetched is pinned by its hash, nothing may run code
// when it is installed, the optional packages of other platforms are in it, and those that nothing uses are not. If a
// registry lacks the binaries of some platforms, npm leaves them out of the lock file, and `npm ci` then rejects the
// file everywhere. Their names contain the platform; nothing is downloaded for other platforms.
import { readFileSync, writeFileSync } from 'node:fs'

const SYSTEMS = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony']
const PROCESSORS = ['x64', 'arm64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

/**
 * Optional packages of development tools that nothing here uses. Without their names in the lock file, `npm ci` leaves
 * them out.
 */
const UNUSED = {
  // Faster programs than its own JavaScript, which the tests choose: 52 MB.
  recheck: ['recheck-jar', 'recheck-linux-x64', 'recheck-macos-arm64', 'recheck-macos-x64', 'recheck-windows-x64'],
}

const isCheck = process.argv.includes('--check')
const file = 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
const packages = lock.packages
let [added, removed] = [0, 0]
for (const [name, unused] of Object.entries(UNUSED)) {
  const { optionalDependencies, ...entry } = packages[`node_modules/${name}`] ?? {}
  const kept = Object.entries(optionalDependencies ?? {}).filter(([optional]) => !unused.includes(optional))
  if (optionalDependencies)
    packages[`node_modules/${name}`] = {
      ...entry,
      ...(kept.length > 0 && { optionalDependencies: Object.fromEntries(kept) }),
    }
  for (const location of unused.map((optional) => `node_modules/${optional}`).filter((each) => packages[each])) {
    delete packages[location]
    removed++
  }
}
for (const [location, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(location, name)) continue
    const words = name.split(/[/-]/)
    const os = SYSTEMS.filter((system) => words.includes(system))
    const cpu = PROCESSORS.filter((processor) => words.includes(processor))
    if ((os.length === 0 && cpu.length === 0) || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
      console.error(`${name}@${version}, wanted by ${location}, is not in the lock file, and its name says no platform`)
      process.exitCode = 1
      continue
    }
    const libc = words.some((word) => word.startsWith('musl'))
      ? ['musl']
      : words.some((word) => word.startsWith('gnu'))
        ? ['glibc']
        : []
    packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(entry.dev && { dev: true }),
      ...(libc.length > 0 && os.includes('linux') && { libc }),
      optional: true,
      ...(os.length > 0 && { os }),
    }
    added++
  }
}
const problems = []
for (const [location, entry] of Object.entries(packages)) {
  if (!location.includes('node_modules/') || entry.link || entry.inBundle) continue
  const isForeign =
    entry.optional &&
    (entry.os || entry.cpu) &&
    !(entry.os?.includes('linux') && entry.cpu?.includes('x64') && !entry.libc?.includes('musl'))
  if (!entry.integrity && !isForeign) problems.push(`${location} has no integrity hash`)
  if (entry.resolved?.includes('://')) {
    if (isCheck) problems.push(`${location} names a download host`)
    else delete entry.resolved
  }
}
for (const setting of ['ignore-scripts=true', 'omit-lockfile-registry-resolved=true']) {
  if (!readFileSync('.npmrc', 'utf8').split('\n').includes(setting)) problems.push(`.npmrc lacks ${setting}`)
}
if (isCheck && removed > 0) problems.push(`${removed} optional packages that nothing uses are in it: npm run lock`)
if (isCheck && added > 0) problems.push(`${added} optional packages of other platforms are missing: npm run lock`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

if (!isCheck) {
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
console.log(
  `${Object.keys(packages).length} packages${isCheck ? ' checked' : `, ${added} of them added for other platforms`}`,
)

/** True if Node's module resolution from this location finds an entry. */
function isLocked(location, name) {
  for (let place = location; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    if (packages[`${place ? `${place}/` : ''}node_modules/${name}`]) return true
    if (place === '' || !place.includes('node_modules')) return Boolean(packages[`node_modules/${name}`])
  }
}
