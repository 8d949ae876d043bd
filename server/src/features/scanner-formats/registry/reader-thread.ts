import { parentPort } from 'node:worker_threads'
import { MAX_BATCH_ITEMS, UnreadableFile } from './format.ts'
import { type FileItem, type FileToRead, readFile } from './read-file.ts'

/** Requests the next batch of the current file, or of a new one. */
export interface ReaderQuestion {
  file?: FileToRead
}

/** The thread's response. */
export type ReaderAnswer =
  | { items: FileItem[]; bytes: number; isLast: boolean }
  | { unreadable: string }
  | { failure: string }

/** The second limit of a batch. */
const MAX_CHARACTERS = 2 * 1024 * 1024

interface Reading {
  items: AsyncIterator<FileItem>
  progress: { bytes: number }
}

const begin = (file: FileToRead): Reading => {
  const progress = { bytes: 0 }
  return { items: readFile(file, progress)[Symbol.asyncIterator](), progress }
}

const weightOf = (item: FileItem): number =>
  item.type === 'sighting' ? JSON.stringify(item.sighting.data).length : 100

const nextBatch = async ({ items, progress }: Reading): Promise<ReaderAnswer> => {
  const batch: FileItem[] = []
  let weight = 0
  try {
    while (batch.length < MAX_BATCH_ITEMS && weight < MAX_CHARACTERS) {
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

let reading: Reading | undefined
parentPort?.on('message', ({ file }: ReaderQuestion) => {
  if (file) reading = begin(file)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void nextBatch(reading as Reading).then((answer) => parentPort?.postMessage(answer))
})
