import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionSettings } from '../database/open.ts'
import { ConfigurationError } from '../errors.ts'
import type { LocalRateLimiter } from '../http/rate-limit.ts'
import type { Logger } from '../log.ts'
import type { SupervisorMetrics } from '../metrics.ts'
import type { Duty, ToProcess, ToSupervisor } from './messages.ts'

/** A process that ended sooner than this after it was ready is not replaced at once. */
const STEADY_MS = 60_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** A process tells what it measured within this, or is left out of that answer. */
const METRICS_TIMEOUT_MS = 1_000

export interface SupervisorOptions {
  settings: ConnectionSettings
  apiProcesses: number
  /** Whether one more process does jobs. */
  withWorker: boolean
  /** Counts for all processes. */
  limiter: LocalRateLimiter
  metrics: SupervisorMetrics
  log: Logger
  /** After this, a process that was told to end has hung. */
  endTimeoutMs: number
}

export interface Supervisor {
  /** @returns when all processes serve: the port, and whether this was the first start; rejects when the first cannot run */
  start(): Promise<{ port: number; isFirstStart: boolean }>
  /** Replaces one process after the other; the new one serves before the old one takes its leave. */
  renew(): Promise<void>
  /** Ends all processes, and returns when they have ended. */
  stop(): Promise<void>
}

interface Ready {
  port: number
  isFirstStart: boolean
}

interface Child {
  worker: Worker
  hello: Promise<void>
  /** Rejects when the process ends before. */
  ready: Promise<Ready>
  ended: Promise<void>
  readyAt: number | undefined
  isLeaving: boolean
}

/** A place that is always filled, by one process after another. */
interface Slot {
  name: string
  duty: Duty
  child: Child | undefined
  pauseMs: number
  /** What happens to the slot happens in turn. */
  turn: Promise<void>
}

/**
 * Keeps the processes of one server: the listening socket is here and hands each connection to one of them, so that no
 * connection is lost while they come and go. What one process of a server must do alone is done by whoever starts this.
 */
export const createSupervisor = (options: SupervisorOptions): Supervisor => {
  const { log, metrics } = options
  const slots: Slot[] = Array.from({ length: options.apiProcesses }, (_, i) => newSlot('api', `api-${i + 1}`))
  if (options.withWorker) slots.push(newSlot('worker', 'worker'))
  const children = new Set<Child>()
  const collecting = new Map<number, (text: string) => void>()
  let nextId = 0
  let stopping = false

  const tell = ({ worker }: Child, message: ToProcess) => {
    if (worker.isConnected()) worker.send(message, () => undefined)
  }

  const fork = (slot: Slot): Child => {
    const worker = cluster.fork()
    const hello = Promise.withResolvers<void>()
    const ready = Promise.withResolvers<Ready>()
    const ended = Promise.withResolvers<void>()
    const child: Child = { worker, hello: hello.promise, ready: ready.promise, ended: ended.promise, readyAt: undefined, isLeaving: false }
    ready.promise.catch(() => undefined)
    hello.promise.catch(() => undefined)
    children.add(child)
    worker.on('message', (message: ToSupervisor) => {
      if (message.kind === 'hello') hello.resolve()
      else if (message.kind === 'ready') {
        child.readyAt = performance.now()
        ready.resolve(message)
      } else if (message.kind === 'refused') ready.reject(new ConfigurationError(message.lines))
      else if (message.kind === 'count') {
        tell(child, { kind: 'counted', id: message.id, windows: message.additions.map(([bucket, add]) => options.limiter.count(bucket, add)) })
      } else if (message.kind === 'collect metrics') void collectMetrics().then((texts) => tell(child, { kind: 'metrics', id: message.id, texts }))
      else collecting.get(message.id)?.(message.text)
    })
    worker.on('error', (error) => log.error({ err: error, process: slot.name }, 'a process cannot be reached'))
    worker.on('exit', (code, signal) => {
      children.delete(child)
      const failure = new Error(`${slot.name} ended ${signal ? `by ${signal}` : `with ${code}`} before it was ready`)
      hello.reject(failure)
      ready.reject(failure)
      ended.resolve()
      if (stopping || child.isLeaving || child.readyAt === undefined) return
      log.error({ process: slot.name, code, signal }, 'a process ended: another takes its place')
      metrics.replaced()
      slot.pauseMs = performance.now() - child.readyAt > STEADY_MS ? 0 : nextPause(slot.pauseMs)
      void inTurn(slot, () => replace(slot))
    })
    return child
  }

  const start = async (slot: Slot, child: Child, listensAtOnce: boolean): Promise<Ready> => {
    slot.child ??= child
    await child.hello
    const { duty, name } = slot
    tell(child, { kind: 'begin', assignment: { duty, name, apiProcesses: options.apiProcesses, settings: options.settings, listensAtOnce } })
    const ready = await child.ready
    slot.child = child
    log.info({ process: name, pid: child.worker.process.pid }, 'a process serves')
    return ready
  }

  const replace = async (slot: Slot): Promise<void> => {
    while (!stopping) {
      await sleep(slot.pauseMs)
      if (stopping) return
      slot.child = undefined
      try {
        await start(slot, fork(slot), !slots.some(({ duty, child }) => duty === 'api' && child?.readyAt !== undefined))
        return
      } catch (error) {
        if (stopping) return
        slot.pauseMs = nextPause(slot.pauseMs)
        log.error({ process: slot.name, ...failureOf(error) }, 'a process did not start: it is tried again')
      }
    }
  }

  /** @throws what kept the new process from starting; the old one goes on then */
  const exchange = async (slot: Slot): Promise<void> => {
    const old = slot.child
    await start(slot, fork(slot), false)
    if (!old || !children.has(old)) return
    old.isLeaving = true
    tell(old, { kind: 'retire' })
    await endOf(old)
  }

  const endOf = async (child: Child): Promise<void> => {
    const timer = setTimeout(() => {
      log.error({ pid: child.worker.process.pid }, 'a process does not end: it is killed')
      child.worker.process.kill('SIGKILL')
    }, options.endTimeoutMs)
    await child.ended
    clearTimeout(timer)
  }

  const collectMetrics = async (): Promise<string[]> => {
    const current = slots.flatMap(({ child }) => (child?.readyAt !== undefined && children.has(child) ? [child] : []))
    const texts = current.map(async (child) => {
      const id = nextId++
      const told = new Promise<string>((resolve) => collecting.set(id, resolve))
      tell(child, { kind: 'tell metrics', id })
      const text = await Promise.race([told, sleep(METRICS_TIMEOUT_MS, '', { ref: false })])
      collecting.delete(id)
      return text
    })
    return Promise.all([...texts, metrics.render()])
  }

  let renewing: Promise<void> | undefined
  const renewAll = async () => {
    log.info('the processes are replaced, one after the other')
    for (const slot of slots) {
      if (stopping) return
      let failure: unknown
      await inTurn(slot, () => exchange(slot).catch((error) => void (failure = error)))
      if (stopping) return
      if (failure !== undefined) {
        log.error(failureOf(failure), 'a new process did not start: those that run go on')
        return
      }
    }
    log.info('all processes are replaced')
  }

  return {
    start: async () => {
      const [first, ...others] = slots.map((slot) => ({ slot, child: fork(slot) }))
      if (!first) throw new Error('a server has at least one process')
      const ready = await start(first.slot, first.child, true)
      await Promise.all(others.map(({ slot, child }) => start(slot, child, false)))
      return ready
    },
    renew: () => {
      renewing ??= renewAll().finally(() => {
        renewing = undefined
      })
      return renewing
    },
    stop: async () => {
      stopping = true
      const ending = [...children]
      for (const { worker } of ending) worker.process.kill('SIGTERM')
      await Promise.all(ending.map(endOf))
    },
  }
}

const newSlot = (duty: Duty, name: string): Slot => ({ duty, name, child: undefined, pauseMs: 0, turn: Promise.resolve() })

const nextPause = (pauseMs: number) => Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS)

const inTurn = (slot: Slot, work: () => Promise<void>): Promise<void> => {
  slot.turn = slot.turn.then(work)
  return slot.turn
}

const failureOf = (error: unknown) => (error instanceof ConfigurationError ? { problems: error.lines } : { err: error })
