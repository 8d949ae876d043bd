import type { Transaction } from '../../../platform/database/transaction.ts'
import type { RunningJob } from '../../../platform/jobs/kinds.ts'
import { addMissingWords, addWords } from '../../inventory/ingest/words.service.ts'
import { MAX_BATCH_ITEMS } from '../../scanner-formats/registry/format.ts'

/** Results whose words an interrupted import may lack: those of the batch that follows, and of the one before. */
const MAX_WORDLESS = 2 * MAX_BATCH_ITEMS

/**
 * Writes the words by which the search finds the results of an import. Computing them takes a fifth of the time of the
 * results, so each batch's are written in a transaction of their own while the next batch is read and written.
 */
export class WordsOfBatches {
  readonly #work: RunningJob
  #writing: Promise<void> = Promise.resolve()

  constructor(work: RunningJob) {
    this.#work = work
  }

  /** Begins with the words of a committed batch once those of the batch before are written. */
  async begin(created: readonly string[]): Promise<void> {
    await this.#writing
    this.#writing = this.#work.batch((tx) => addWords(tx, created))
    // The next call throws it.
    this.#writing.catch(() => undefined)
  }

  /** Waits until all are written. */
  end(): Promise<void> {
    return this.#writing
  }
}

/** Writes the words that an interrupted import left out. */
export const completeWords = (tx: Transaction, organizationId: string, importId: string): Promise<void> =>
  addMissingWords(tx, organizationId, importId, MAX_WORDLESS)
