import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const SERVER_CORE = 0
export const SENDER_CORE = 1
const READY_TIMEOUT_MS = 90_000
const STOP_TIMEOUT_MS = 20_000

export interface Server {
  origin: string
  pid: number
  /** Milliseconds from its start until it served. */
  readyAfterMs: number
  /** CPU time used so far by the process, in milliseconds. */
  cpuMs(): number
  /** Resident memory in MB. */
  memoryMb(): number
  stop(): Promise<void>
}

export interface ServerOptions {
  /** TypeScript or JavaScript file, relative to the repository. */
  script: string
  env: Record<string, string>
  /** Answers 2xx once it serves. */
  readyPath: string
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CORES = os.availableParallelism()

/** Keeps a process and its threads on one core; where there is one core only, or no taskset, it stays where it is. */
export const pinned = (child: ChildProcess, core: number): void => {
  if (child.pid) pin(child.pid, core)
}

/** The same for this process, and what it starts from now on. */
export const pinSelf = (core: number): void => pin(process.pid, core)

/** The same for any process and its threads. */
export const pin = (pid: number, core: number): void => {
  if (CORES > core && CORES > 1) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
}

/** Starts a server on the servers' core and a free loopback port (`PORT`), and waits until it serves. */
export const startServer = async ({ script, env, readyPath }: ServerOptions): Promise<Server> => {
  const port = await freePort()
  const started = performance.now()
  const options: SpawnOptions = {
    cwd: ROOT,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ENV_FILE: '', HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  }
  const child = spawn(process.execPath, [...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []), script], options)
  pinned(child, SERVER_CORE)
  const origin = `http://127.0.0.1:${port}`
  while (!(await answers(origin + readyPath))) {
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`)
    if (performance.now() - started > READY_TIMEOUT_MS) throw new Error(`${script} did not become ready`)
    await sleep(10)
  }
  const pid = child.pid as number
  return {
    origin,
    pid,
    readyAfterMs: performance.now() - started,
    cpuMs: () => cpuMs(pid),
    memoryMb: () => memoryMb(pid),
    stop: () => stopProcess(child),
  }
}

export const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(force)
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** User and system time of a process; Linux counts in hundredths of a second. */
const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Processes that a process started; none where it has just ended. */
export const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

const memoryMb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
