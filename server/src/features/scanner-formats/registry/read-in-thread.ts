import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { UnreadableFile } from './format.ts'
import type { FileItem, FileToRead } from './read-file.ts'
import type { ReaderAnswer, ReaderQuestion } from './reader-thread.ts'

/** Heap limit of a thread: it reads small pieces, the largest of 64 MiB. */
const MAX_HEAP_MB = 512
/** Heap for new objects: enough for a batch, which is sent as soon as it is read. */
const YOUNG_HEAP_MB = 12
/** A batch takes milliseconds; a file that exceeds this was built to be slow. */
const BATCH_TIMEOUT_MS = 60_000
/** How long an idle thread waits for the next file. Starting a thread takes longer than reading most files. */
const IDLE_MS = 30_000
const MAX_IDLE = 2

export interface ReadBatch {
  items: FileItem[]
  /** Bytes of the file read so far. */
  bytes: number
}

/** Idle threads, shared by the whole process. */
const waiting = new Map<Worker, NodeJS.Timeout>()

/**
 * Reads a file in its own thread, in batches, so that requests stay responsive. Terminates a thread that takes too long
 * or too much memory.
 *
 * @throws UnreadableFile if nothing more in it is usable
 */
export async function* readInThread(file: FileToRead, signal: AbortSignal): AsyncGenerator<ReadBatch> {
  const thread = acquireThread()
  let isDone = false
  try {
    // Reads the next batch while the caller writes this one.
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
    // A thread that stopped inside a file may be stuck.
    if (isDone) keepThread(thread)
    else await thread.terminate()
  }
}

const acquireThread = (): Worker => {
  for (const [thread, timer] of waiting) {
    clearTimeout(timer)
    waiting.delete(thread)
    thread.ref()
    return thread
  }
  const thread = new Worker(new URL('reader-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  })
  // A waiting caller receives the error; an idle thread is removed.
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
    if (timeout.aborted) throw new UnreadableFile('an entry of the file takes too long to read')
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new UnreadableFile('an entry of the file takes too much memory')
    throw error
  }
}
