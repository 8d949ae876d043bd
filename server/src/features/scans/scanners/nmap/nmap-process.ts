import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { useOfGroup } from '../group-use.ts'
import { portsText } from '../ports/port-ranges.ts'
import type { PortRange } from '../scanner.ts'

/** Standard program directories; excludes the environment of this server. */
export const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin',
  LANG: 'C',
}

const GUARD = fileURLToPath(new URL('nmap-guard.ts', import.meta.url))

const MIB = 1024 * 1024
const MINUTE_MS = 60_000
const LOOK_EVERY_MS = 1_000
const MAX_SAID = 500
/** A directory cannot be read while no file descriptor is free. */
const REMOVAL_RETRIES = 5

export interface NmapLimits {
  outputBytes: number
  ms: number
  /** Total of all its processes. */
  memoryBytes: number
  processes: number
}

const LIMITS: NmapLimits = { outputBytes: 20 * MIB, ms: 120 * MINUTE_MS, memoryBytes: 1024 * MIB, processes: 20 }

export interface NmapRun {
  /** Addresses of one family, never names. */
  addresses: readonly string[]
  ports: readonly PortRange[]
  /** Ports to which nothing must be sent at any of the addresses, not even by host discovery. */
  closedPorts: Readonly<Record<'tcp' | 'udp', readonly number[]>>
  protocol: 'tcp' | 'udp'
  /** From a fixed list. */
  flags: readonly string[]
  /** Simultaneous connections. */
  atOnce: number
  /** False if nothing may be sent to the addresses except to `ports`: each counts as up. */
  discovers: boolean
}

export interface NmapOutput {
  /** Path of its XML, which may be incomplete. */
  path: string
  remove(): Promise<void>
  /** Why nmap ended early; undefined if it did not. */
  problem: string | undefined
  /** The error of `permits` or the reason of the signal, if nmap was killed for it. */
  refusal: { error: unknown } | undefined
}

type End = Pick<NmapOutput, 'problem' | 'refusal'>

/**
 * This server cannot start a program now, for example because no file descriptor or disk space is free. Nothing was
 * sent.
 */
export class NmapNotStarted extends Error {
  constructor(cause: unknown) {
    super(`nmap could not be started on this server (${codeOf(cause)})`, { cause })
    this.name = 'NmapNotStarted'
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'no reason given'

/** Builds every argument from typed values. Uses no shell and no input files. */
export const argumentsOf = ({
  addresses,
  ports,
  closedPorts,
  protocol,
  flags,
  atOnce,
  discovers,
}: NmapRun): string[] => [
  '-n',
  '--noninteractive',
  ...(discovers ? [] : ['-Pn']),
  ...(addresses[0]?.includes(':') ? ['-6'] : []),
  ...flags,
  '-p',
  protocol === 'udp' ? `U:${portsText(ports)}` : portsText(ports),
  ...excluded(closedPorts),
  '--max-parallelism',
  String(atOnce),
  '--max-retries',
  '2',
  '-oX',
  '-',
  '--',
  ...addresses,
]

/** Excludes ports from the scan and from host discovery, which always sends to TCP ports. */
const excluded = ({ tcp, udp }: NmapRun['closedPorts']): string[] => {
  const parts = [...tcp.map((port) => `T:${port}`), ...udp.map((port) => `U:${port}`)]
  return parts.length > 0 ? ['--exclude-ports', parts.join(',')] : []
}

/**
 * Runs nmap in its own process group, in an empty directory, without the server's environment. Kills the group if
 * `signal` is aborted, if `permits` throws or at its limits, and keeps the output until then. If this process dies, the
 * guard kills the group and the output is lost. The limits of memory and processes need /proc, as on Linux.
 *
 * @param permits called before the start and every second
 * @throws NmapNotStarted, errors of `permits` before the start
 */
export const runNmap = async (
  run: NmapRun,
  permits: () => Promise<unknown>,
  signal: AbortSignal,
  limits = LIMITS,
): Promise<NmapOutput> => {
  await permits()
  const directory = await mkdtemp(path.join(tmpdir(), 'sortie-nmap-')).catch((error: unknown) => {
    throw new NmapNotStarted(error)
  })
  const remove = () => rm(directory, { recursive: true, force: true, maxRetries: REMOVAL_RETRIES })
  try {
    const file = path.join(directory, 'out.xml')
    return { path: file, remove, ...(await runInto(file, directory, run, { permits, signal, limits })) }
  } catch (error) {
    await remove()
    throw error
  }
}

interface Bounds {
  permits: () => Promise<unknown>
  signal: AbortSignal
  limits: NmapLimits
}

const runInto = async (file: string, cwd: string, run: NmapRun, { permits, signal, limits }: Bounds): Promise<End> => {
  const { child, ended } = startGuard(cwd, run)
  // Without a process there are no streams.
  if (child.pid === undefined) throw new NmapNotStarted((await ended).error)
  // nmap must not outlive its guard, however the guard ended.
  child.once('exit', () => killGroup(child))
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) killGroup(child)
  }
  let excess: string | undefined
  const end = (why: string) => {
    excess ??= why
    kill()
  }
  signal.addEventListener('abort', kill, { once: true })
  const timer = setTimeout(() => end(`it took more than ${limits.ms / MINUTE_MS} minutes`), limits.ms)
  const output = pipeline(
    child.stdout,
    upTo(limits.outputBytes, () => end(`it wrote more than ${limits.outputBytes / MIB} MiB`)),
    createWriteStream(file, { mode: 0o600 }),
  ).catch((error: unknown) => end(`its output could not be stored (${codeOf(error)})`))
  let stated = ''
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => {
      stated = (stated + text).slice(0, MAX_SAID)
    })
    .on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  const over = new AbortController()
  let refusal: End['refusal']
  const watching = everySecond(over.signal, async () => {
    await permits()
    const { memoryBytes, processes } = await useOfGroup(child.pid)
    if (memoryBytes > limits.memoryBytes) end(`it used more than ${limits.memoryBytes / MIB} MiB of memory`)
    if (processes > limits.processes) end(`it started more than ${limits.processes} processes`)
  }).catch((error: unknown) => {
    refusal = { error }
    kill()
  })
  try {
    const [exit] = await Promise.all([ended, output])
    if (signal.aborted) return { problem: undefined, refusal: { error: signal.reason } }
    if (refusal) return { problem: undefined, refusal }
    return { problem: excess ?? problemOf(exit, stated), refusal: undefined }
  } finally {
    clearTimeout(timer)
    over.abort()
    await watching
    kill()
    signal.removeEventListener('abort', kill)
  }
}

/** The exit of the guard. */
interface Exit {
  code?: number | null
  error?: unknown
}

/**
 * Starts nmap with its guard. Every event of the process has a listener from the start (S32).
 *
 * @throws NmapNotStarted
 */
const startGuard = (cwd: string, run: NmapRun): { child: ChildProcessWithoutNullStreams; ended: Promise<Exit> } => {
  try {
    const child = spawn(process.execPath, [GUARD, ...argumentsOf(run)], {
      cwd,
      detached: true,
      shell: false,
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const ended = new Promise<Exit>((resolve) => {
      child.on('error', (error) => resolve({ error }))
      child.once('close', (code) => resolve({ code }))
    })
    return { child, ended }
  } catch (error) {
    throw new NmapNotStarted(error)
  }
}

const problemOf = ({ code, error }: Exit, stated: string): string | undefined => {
  if (error !== undefined) return codeOf(error)
  return code === 0 ? undefined : stated.trim().split('\n')[0] || `exit code ${code}`
}

const everySecond = async (over: AbortSignal, look: () => Promise<void>): Promise<void> => {
  for (;;) {
    try {
      await sleep(LOOK_EVERY_MS, undefined, { signal: over })
    } catch {
      return
    }
    await look()
  }
}

/** Kills a process and its children. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The group has ended, or this process may not kill the rest.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error))) throw error
  }
}

/** Passes a number of bytes, then calls `onMore`. */
const upTo = (bytes: number, onMore: () => void): Transform => {
  let left = bytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (chunk.length > left) onMore()
      const kept = chunk.subarray(0, Math.max(0, left))
      left -= kept.length
      done(null, kept)
    },
  })
}
