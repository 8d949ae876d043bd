import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'

/** A password to hash, or to compare with what is stored. */
export interface HashTask {
  password: string
  options?: Options
  stored?: string
}

export type HashAnswer = { result: string | boolean } | { error: unknown }

/** A thread takes memory; one that had nothing to do for so long is ended. */
const IDLE_MS = 30_000

/**
 * Computes hashes on threads of their own, at a lower priority than the rest of the process: where the cores are busy, a
 * flood of sign-ins slows other sign-ins down and nothing else (target L11). Whoever calls bounds how many run at once.
 *
 * @returns a function that does one task; it throws what the library says of a task, or that the thread ended
 */
export const hashThreads = (): ((task: HashTask) => Promise<string | boolean>) => {
  const idle: Thread[] = []
  return async (task) => {
    const thread = idle.pop() ?? startThread((ended) => idle.splice(0, idle.length, ...idle.filter((other) => other !== ended)))
    const answer = await thread.ask(task)
    idle.push(thread)
    if ('error' in answer) throw answer.error
    return answer.result
  }
}

interface Thread {
  /** One task at a time. */
  ask(task: HashTask): Promise<HashAnswer>
}

const startThread = (onEnd: (thread: Thread) => void): Thread => {
  const worker = new Worker(new URL('hash-thread.ts', import.meta.url))
  let current: PromiseWithResolvers<HashAnswer> | undefined
  let idle: NodeJS.Timeout | undefined
  const thread: Thread = {
    ask: async (task) => {
      current = Promise.withResolvers<HashAnswer>()
      clearTimeout(idle)
      // Whoever waits for a hash keeps the process; the thread by itself does not.
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(task)
      try {
        return await current.promise
      } finally {
        current = undefined
        worker.unref()
        idle = setTimeout(() => {
          // Nobody gives a task to a thread that is about to end.
          onEnd(thread)
          void worker.terminate()
        }, IDLE_MS).unref()
      }
    },
  }
  const end = (error: Error) => {
    onEnd(thread)
    current?.reject(error)
  }
  worker.on('message', (answer: HashAnswer) => current?.resolve(answer))
  worker.on('error', end)
  worker.on('exit', (code) => end(new Error(`the thread for hashes ended with ${code}`)))
  return thread
}
