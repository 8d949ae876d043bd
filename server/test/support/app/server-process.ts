import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { copyCheckout } from '../database/checkout.ts'
import { METRICS_TOKEN } from '../document/metrics.ts'
import { hereMs } from './machine.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** The memory options that `npm start` passes to Node. */
const SERVER_OPTIONS: string = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).config.serverOptions
export const SESSION_SECRET = 'a secret of a server under test that is long enough'
/** Password of the first account of every server under test, unless its environment sets another one. */
export const ADMIN_PASSWORD = 'a password of the first account'

export interface ServerOptions {
  /** Added to the defaults of `stage.server`; a variable set to undefined is removed. */
  env?: Record<string, string | undefined>
  /**
   * Used unchanged. By default a new one, with a copy of an initialised and migrated cluster unless `DATABASE_URL`
   * names a database.
   */
  dataDir?: string
  /** In a new, empty data directory: the server initialises its database itself. */
  firstStart?: boolean
  port?: number
  /**
   * The user of the server, which runs from a copy of the tree that this user can read; by default the user who runs
   * the tests.
   */
  uid?: number
  /** Root of the tree whose server is run; this one by default. */
  root?: string
  /** Started instead of the server itself, relative to the root. */
  script?: string
  /**
   * Started in a separate terminal (Linux), which is closed when the process is killed: `child` is the terminal then.
   */
  terminal?: boolean
  /** A directory of programs that take precedence over installed ones (Linux, as root). */
  programs?: string
  /** The test causes an uncaught error. Otherwise such an error in its log fails the test, when the stage is closed. */
  mayLogUncaught?: boolean
}

/** The start of a log line of an uncaught error. */
const UNCAUGHT = 'uncaught error'

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A server in a separate process. */
export class ServerProcess {
  readonly port: number
  readonly dataDir: string
  readonly origin: string
  readonly child: ChildProcess
  readonly exited: Promise<Exit>
  stdout = ''
  stderr = ''
  readonly #startedAt = performance.now()

  constructor(child: ChildProcess, port: number, dataDir: string) {
    this.child = child
    this.port = port
    this.dataDir = dataDir
    this.origin = `http://127.0.0.1:${port}`
    child.stdout?.on('data', (data) => (this.stdout += data))
    child.stderr?.on('data', (data) => (this.stderr += data))
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }))
    })
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Lines on standard error, without blank ones. */
  get errorLines(): string[] {
    return this.stderr.split('\n').filter((line) => line.trim() !== '')
  }

  /** The log, one object per line. */
  get log(): { level: number; msg: string; [field: string]: unknown }[] {
    return this.stdout
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line))
  }

  /** Lines of uncaught errors. */
  get uncaught(): ServerProcess['log'] {
    return this.log.filter(({ msg }) => msg.startsWith(UNCAUGHT))
  }

  /** Waits until the server serves requests. @returns milliseconds since it was started */
  async ready(timeoutMs = 60_000): Promise<number> {
    await eventually(
      async () => {
        if (!this.isRunning) throw new Ended(`the server ended before it was ready\n${this.stdout}\n${this.stderr}`)
        if ((await this.health()) !== 200) throw new Error(`the server is not ready\n${this.stdout}\n${this.stderr}`)
      },
      timeoutMs,
      25,
    )
    return performance.now() - this.#startedAt
  }

  /** The status of `/api/health`; 0 if there is no answer. */
  async health(): Promise<number> {
    try {
      const response = await fetch(`${this.origin}/api/health`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(5_000),
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    }
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.child.kill(signal)
  }

  /** Ends the server as a power cut would. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.exited
  }

  /** Asks the server to end, and waits until it has. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM')
    return this.exited
  }
}

/** Thrown inside `eventually` to give up at once. */
class Ended extends Error {}

/**
 * Retries until `check` no longer throws, and returns its result.
 *
 * @param timeoutMs on a usual machine
 * @throws the last error after `timeoutMs`
 */
export const eventually = async <T>(check: () => T | Promise<T>, timeoutMs = 30_000, pauseMs = 50): Promise<T> => {
  const started = performance.now()
  const isOver = () => performance.now() - started > timeoutMs && performance.now() - started > hereMs(timeoutMs)
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (error instanceof Ended || isOver()) throw error
      await sleep(pauseMs)
    }
  }
}

/**
 * Below the ports that systems use for outgoing connections, so that such a port is still free after its listener
 * closes.
 */
const PORTS = { from: 10_000, below: 32_000 }

/** A free loopback port. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.below)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** The variable in which a test run passes the path of its initialised cluster to its workers. */
export const CLUSTER_VARIABLE = 'SORTIE_TEST_CLUSTER'

/** Does nothing if no test run has made a cluster; then the server initialises its own. */
const copyCluster = (dataDir: string): void => {
  const cluster = process.env[CLUSTER_VARIABLE]
  if (!cluster) return
  mkdirSync(dataDir)
  execFileSync('cp', ['-a', cluster, path.join(dataDir, 'postgres')])
}

/** The process id of the Postgres that runs on a data directory. */
export const postgresPid = (dataDir: string): number | undefined => {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  return isAlive(pid) ? pid : undefined
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !(
      existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z')
    )
  } catch {
    return false
  }
}

/** Everything that a test file starts and makes, so that exactly that can be ended and removed. */
export interface Stage {
  /** A new directory; everyone may enter it unless `mode` restricts it. */
  directory(mode?: number): string
  /** Starts a server; `ready()` waits for it. */
  server(options?: ServerOptions): Promise<ServerProcess>
  /** Runs `end` when the stage is closed. */
  add(end: () => unknown): void
  /** @throws if a server logged an uncaught error, unless it may */
  close(): Promise<void>
}

export const createStage = (): Stage => {
  const ends: (() => unknown)[] = []
  const strict: ServerProcess[] = []
  const directory = (mode = 0o755) => {
    const made = mkdtempSync(path.join(os.tmpdir(), 'sortie-stage-'))
    chmodSync(made, mode)
    ends.push(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }))
    return made
  }
  const newDataDir = (hasCluster: boolean) => {
    const dataDir = path.join(directory(), 'data')
    if (hasCluster) copyCluster(dataDir)
    return dataDir
  }
  let readable: string | undefined
  const readableRoot = () => {
    if (readable && existsSync(readable)) return readable
    readable = path.join(directory(), 'sortie')
    copyCheckout(readable, 'copied')
    return readable
  }
  return {
    directory,
    server: async ({
      env = {},
      firstStart = env.DATABASE_URL !== undefined,
      dataDir = newDataDir(!firstStart),
      port,
      uid,
      root = uid === undefined ? ROOT : readableRoot(),
      script = 'server/dist/main.js',
      terminal = false,
      programs,
      mayLogUncaught = false,
    } = {}) => {
      const chosen = port ?? (await freePort())
      const defaults = {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_OPTIONS: SERVER_OPTIONS,
        NODE_COMPILE_CACHE: uid === undefined ? process.env.NODE_COMPILE_CACHE : undefined,
        ENV_FILE: '',
        HOST: '127.0.0.1',
        PORT: String(chosen),
        DATA_DIR: dataDir,
        STORAGE_PATH: path.join(dataDir, 'uploads'),
        SESSION_SECRET,
        ADMIN_PASSWORD,
        METRICS_TOKEN,
        RATE_LIMIT_MAX: '1000000',
        RATE_LIMIT_ANONYMOUS_MAX: '1000000',
        // A busy machine answers late; separate tests cover the consequences.
        OVERLOAD_MAX_REQUESTS: '100000',
        OVERLOAD_DELAY_MS: '0',
      }
      const all = Object.entries({ ...defaults, ...env }).filter(([, value]) => value !== undefined)
      const packaged = path.join(root, 'node_modules/.bin/node')
      const node = existsSync(packaged) ? packaged : process.execPath
      const [command, ...args] = commandOf(node, script, { terminal, programs })
      const child = spawn(command as string, args, {
        cwd: root,
        env: Object.fromEntries<string | undefined>(all),
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(uid !== undefined && { uid, gid: uid }),
      })
      const server = new ServerProcess(child, chosen, dataDir)
      if (!mayLogUncaught) strict.push(server)
      ends.push(async () => {
        await server.kill()
        await endPostgres(dataDir)
      })
      return server
    },
    add: (end) => {
      ends.push(end)
    },
    close: async () => {
      for (const end of ends.splice(0).toReversed()) await end()
      const uncaught = strict.splice(0).flatMap((server) => server.uncaught)
      if (uncaught.length > 0)
        throw new Error(`a server logged errors that nothing caught: ${JSON.stringify(uncaught, undefined, 2)}`)
    },
  }
}

/** The first directory in which a scanner is searched for. */
const FIRST_ON_PATH = '/usr/local/sbin'

const commandOf = (
  node: string,
  script: string,
  { terminal, programs }: { terminal: boolean; programs: string | undefined },
): string[] => {
  if (terminal) return ['script', '-qec', `exec ${node} ${script}`, '/dev/null']
  if (programs === undefined) return [node, script]
  // In a separate mount namespace: no other process sees these programs.
  return ['unshare', '--mount', 'sh', '-c', `mount --bind "$0" ${FIRST_ON_PATH} && exec "$@"`, programs, node, script]
}

/** Ends the Postgres of a data directory at once; the directory can be deleted then. */
const endPostgres = async (dataDir: string): Promise<void> => {
  const pid = postgresPid(dataDir)
  if (pid === undefined) return
  process.kill(pid, 'SIGQUIT')
  for (let i = 0; i < 100 && isAlive(pid); i++) await sleep(20)
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}
