import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashAnswer, HashTask } from './hash-threads.ts'

/** Well behind the thread that answers requests. */
const NICENESS = 10

// Elsewhere than on Linux this is the priority of the whole process.
if (process.platform === 'linux') setPriority(NICENESS)

parentPort?.on('message', ({ password, options, stored }: HashTask) => {
  let answer: HashAnswer
  try {
    answer = { result: stored === undefined ? hashSync(password, options) : verifySync(stored, password) }
  } catch (error) {
    answer = { error }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer)
})
