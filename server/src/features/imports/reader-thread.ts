import { parentPort, workerData } from 'node:worker_threads'
import { UnreadableFile } from './formats/format.ts'
import { type FileItem, type FileToRead, readFile } from './formats/read-file.ts'

/** What the thread answers when it is asked for more. */
export type ReaderAnswer = { items: FileItem[]; bytes: number; isLast: boolean } | { unreadable: string } | { failure: string }

/** How much is sent at once: enough for one transaction that ends soon. */
const MAX_ITEMS = 1_000
const MAX_CHARACTERS = 2 * 1024 * 1024

const progress = { bytes: 0 }
const items = readFile(workerData as FileToRead, progress)[Symbol.asyncIterator]()

const weightOf = (item: FileItem): number => (item.type === 'sighting' ? JSON.stringify(item.sighting.data).length : 100)

const nextBatch = async (): Promise<ReaderAnswer> => {
  const batch: FileItem[] = []
  let weight = 0
  try {
    while (batch.length < MAX_ITEMS && weight < MAX_CHARACTERS) {
      const { value, done } = await items.next()
      if (done) return { items: batch, bytes: progress.bytes, isLast: true }
      batch.push(value)
      weight += weightOf(value)
    }
    return { items: batch, bytes: progress.bytes, isLast: false }
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: error.message }
    return { failure: (error as Error).stack ?? String(error) }
  }
}

parentPort?.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void nextBatch().then((answer) => parentPort?.postMessage(answer))
})
