import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { UnreadableFile } from './formats/format.ts'
import type { FileItem, FileToRead } from './formats/read-file.ts'
import type { ReaderAnswer, ReaderQuestion } from './reader-thread.ts'

/** Of a thread: what it reads is made of small pieces, and the largest of them have 64 MiB. */
const MAX_HEAP_MB = 512
/** Of it, for what is new: enough for a batch, which is sent as soon as it is read. */
const YOUNG_HEAP_MB = 12
/** A batch takes milliseconds; whatever takes this long is made to take long. */
const BATCH_TIMEOUT_MS = 60_000
/** A thread that has read a file waits so long for the next one: to begin a thread takes longer than to read most files. */
const IDLE_MS = 30_000
const MAX_IDLE = 2

export interface ReadBatch {
  items: FileItem[]
  /** Of the file, read so far. */
  bytes: number
}

/** Threads belong to the process, as its memory does; nobody else sees those that wait. */
const waiting = new Map<Worker, NodeJS.Timeout>()

/**
 * Reads a file in a thread of its own, a batch at a time: whatever is in it, requests are answered meanwhile, and a thread
 * that takes too long or too much memory is ended.
 *
 * @throws UnreadableFile where nothing more in it is of use
 */
export async function* readInThread(file: FileToRead, signal: AbortSignal): AsyncGenerator<ReadBatch> {
  const thread = takeThread()
  let isDone = false
  try {
    // The next batch is read while this one is written.
    for (let next = ask(thread, { file }, signal); ;) {
      const answer = await next
      isDone = 'unreadable' in answer || ('isLast' in answer && answer.isLast)
      if ('unreadable' in answer) throw new UnreadableFile(answer.unreadable)
      if ('failure' in answer) throw new Error(`a file could not be read: ${answer.failure}`)
      if (!answer.isLast) {
        next = ask(thread, {}, signal)
        // It is awaited later, if at all.
        next.catch(() => undefined)
      }
      yield answer
      if (answer.isLast) return
    }
  } finally {
    // One that was left in the middle of a file may be stuck in it.
    if (isDone) keepThread(thread)
    else await thread.terminate()
  }
}

const takeThread = (): Worker => {
  for (const [thread, timer] of waiting) {
    clearTimeout(timer)
    waiting.delete(thread)
    thread.ref()
    return thread
  }
  const thread = new Worker(new URL('reader-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  })
  // Whoever asks hears of it; one that ends while nobody does is forgotten.
  thread.on('error', () => forget(thread))
  thread.on('exit', () => forget(thread))
  return thread
}

const keepThread = (thread: Worker): void => {
  const end = () => {
    forget(thread)
    void thread.terminate()
  }
  if (waiting.size >= MAX_IDLE) return end()
  thread.unref()
  waiting.set(thread, setTimeout(end, IDLE_MS).unref())
}

const forget = (thread: Worker): void => {
  clearTimeout(waiting.get(thread))
  waiting.delete(thread)
}

const ask = async (thread: Worker, question: ReaderQuestion, signal: AbortSignal): Promise<ReaderAnswer> => {
  const timeout = AbortSignal.timeout(BATCH_TIMEOUT_MS)
  const answered = once(thread, 'message', { signal: AbortSignal.any([signal, timeout]) })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(question)
  try {
    const [answer] = (await answered) as [ReaderAnswer]
    return answer
  } catch (error) {
    if (timeout.aborted) throw new UnreadableFile('a piece of the file takes too long to read')
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw new UnreadableFile('a piece of the file takes too much memory')
    throw error
  }
}
