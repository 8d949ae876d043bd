import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { OpenLoad, OpenResult } from './open-loop.ts'
import { pinned, SENDER_CORE } from './processes.ts'

export const CONNECTIONS = 64

export interface Load {
  url: string
  headers?: Record<string, string>
  seconds: number
  /** 64 where it is not said. */
  connections?: number
}

export interface Alternation {
  /** Asked in turns, over one connection. */
  urls: string[]
  headers: Record<string, string>[]
  requests: number
}

export type Job = ({ kind: 'load' } & Load) | ({ kind: 'alternate' } & Alternation) | ({ kind: 'open' } & OpenLoad)

/** Sends requests from a process of its own, on a core of its own. Only to loopback addresses. */
export interface Sender {
  /** As many as the connections can, for some seconds; fails when an answer was not 2xx. @returns requests per second */
  load(load: Load): Promise<number>
  /** @returns the median latency of each address, in milliseconds */
  alternate(alternation: Alternation): Promise<number[]>
  /** At a fixed rate, whatever comes back. */
  open(load: OpenLoad): Promise<OpenResult>
  stop(): void
}

export const startSender = (): Sender => {
  const child = fork(fileURLToPath(new URL('./sender.ts', import.meta.url)), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  pinned(child, SENDER_CORE)
  return {
    load: (load) => ask<number>(child, { kind: 'load', ...load }),
    alternate: (alternation) => ask<number[]>(child, { kind: 'alternate', ...alternation }),
    open: (load) => ask<OpenResult>(child, { kind: 'open', ...load }),
    stop: () => void child.kill(),
  }
}

const ask = async <T>(child: ChildProcess, job: Job): Promise<T> => {
  child.send(job)
  const [{ result, error }] = (await once(child, 'message')) as [{ result: T; error?: string }]
  if (error) throw new Error(error)
  return result
}
