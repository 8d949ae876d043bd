import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { UnreadableFile } from './formats/format.ts'
import type { FileItem, FileToRead } from './formats/read-file.ts'
import type { ReaderAnswer } from './reader-thread.ts'

/** Of a thread: what it reads is made of small pieces, and the largest of them have 64 MiB. */
const MAX_HEAP_MB = 512
/** Of it, for what is new: enough for a batch, which is sent as soon as it is read. */
const YOUNG_HEAP_MB = 12
/** A batch takes milliseconds; whatever takes this long is made to take long. */
const BATCH_TIMEOUT_MS = 60_000

export interface ReadBatch {
  items: FileItem[]
  /** Of the file, read so far. */
  bytes: number
}

/**
 * Reads a file in a thread of its own, a batch at a time: whatever is in it, requests are answered meanwhile, and a thread
 * that takes too long or too much memory is ended.
 *
 * @throws UnreadableFile where nothing more in it is of use
 */
export async function* readInThread(file: FileToRead, signal: AbortSignal): AsyncGenerator<ReadBatch> {
  const thread = new Worker(new URL('reader-thread.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  })
  try {
    // The next batch is read while this one is written.
    for (let next = ask(thread, signal); ; ) {
      const answer = await next
      if ('unreadable' in answer) throw new UnreadableFile(answer.unreadable)
      if ('failure' in answer) throw new Error(`a file could not be read: ${answer.failure}`)
      if (!answer.isLast) {
        next = ask(thread, signal)
        // It is awaited later, if at all.
        next.catch(() => undefined)
      }
      yield answer
      if (answer.isLast) return
    }
  } finally {
    await thread.terminate()
  }
}

const ask = async (thread: Worker, signal: AbortSignal): Promise<ReaderAnswer> => {
  const timeout = AbortSignal.timeout(BATCH_TIMEOUT_MS)
  const answered = once(thread, 'message', { signal: AbortSignal.any([signal, timeout]) })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage('next')
  try {
    const [answer] = (await answered) as [ReaderAnswer]
    return answer
  } catch (error) {
    if (timeout.aborted) throw new UnreadableFile('a piece of the file takes too long to read')
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw new UnreadableFile('a piece of the file takes too much memory')
    throw error
  }
}
