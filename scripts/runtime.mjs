// What the npm scripts share. Runs on any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(ROOT)

const WORKSPACES = ['contract', 'client', 'embedded-postgres', 'server', 'web']
const STAMP = path.join(ROOT, 'node_modules', '.sortie-installed')

/** Installs what the lock file names, unless that is what is installed. */
export const install = () => {
  const files = ['package.json', 'package-lock.json', ...WORKSPACES.map((name) => `${name}/package.json`)]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(path.join(ROOT, file)))
  const wanted = hash.digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  console.error('Installing dependencies (the first time takes a minute or two) ...')
  const result = spawnSync('npm', ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    console.error('npm ci failed. Is the package registry reachable?')
    process.exit(1)
  }
  writeFileSync(STAMP, wanted)
}

/** The Node that runs the sources: the installed one, or this one if it is new enough to run TypeScript. */
export const node = () => {
  const installed = path.join(ROOT, 'node_modules', '.bin', 'node')
  if (existsSync(installed)) return installed
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath
  console.error(`There is no packaged Node for ${process.platform} on ${process.arch}: install Node 22.18 or newer.`)
  process.exit(1)
}

/** Environment in which `node` on the path is the one above. */
export const environment = () => ({
  ...process.env,
  NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compile'),
  PATH: [path.dirname(node()), path.join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
})

/** Runs a command to its end and passes its failure on. */
export const run = (command, args, options = {}) => {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: environment(), ...options })
  if (result.error) console.error(result.error.message)
  return result.status ?? 1
}

/**
 * What Node is told about memory, before what the operator says, which wins: left to itself it lets an import of half a
 * gigabyte collect twice as much of what nobody needs any more.
 */
const serverOptions = () => [JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).config.serverOptions, process.env.NODE_OPTIONS].filter(Boolean)

/** Becomes the command as far as a parent can: signals are passed on, and its end is this process's end. */
export const become = (command, args) => {
  const env = { ...environment(), NODE_OPTIONS: serverOptions().join(' '), SORTIE_LAUNCHED: '1' }
  const child = spawn(command, args, { cwd: ROOT, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal) process.exitCode = 128 + 15
    else process.exitCode = code ?? 1
    process.disconnect?.()
  })
}

/** Runs `build` when the sources below these paths changed since it last succeeded. */
export const whenChanged = (name, paths, build) => {
  const stamp = path.join(ROOT, 'node_modules', `.sortie-${name}`)
  const result = spawnSync(node(), [path.join(ROOT, 'scripts/hash-tree.mjs'), ...paths], { encoding: 'utf8' })
  const wanted = result.stdout
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(stamp, { force: true })
  build()
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}
