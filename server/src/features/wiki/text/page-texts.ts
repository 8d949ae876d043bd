import { QUEUED_TEXT } from '@sortie/contract/wiki/wiki.ts'
import { createThreadPool } from '../../../platform/concurrency/threads.ts'
import type { Passage } from '../../../platform/text-merge/difference.ts'
import { createTurns, type InTurn } from '../../../platform/text-merge/turns.ts'
import type * as archive from './archive-task.ts'
import type { PreparedText, PrepareTask } from './page-text-task.ts'
import type * as tasks from './tasks.ts'

const MAX_THREADS = 2
const MAX_WAITING = 200
/** Queued texts of one organization, so that others find a slot. */
const MAX_WAITING_OF_ONE = 100
const MAX_WAIT_MS = 100_000
/** The worst text takes a few seconds on a busy machine. */
const MAX_MS = 20_000
const IDLE_MS = 60_000
/** Less than the response timeout: before the connection is closed, the caller learns that nothing was done. */
const MAX_TURN_WAIT_MS = 1000 * (QUEUED_TEXT.seconds - 15)

/**
 * Processes long texts in threads, because half a megabyte of the worst takes more than a second (see
 * docs/features/wiki.md). Organizations share them through a fair queue.
 */
export interface PageTexts {
  /** @returns undefined if changes overlap @throws ApiError 503 when too many texts are queued */
  prepare(organizationId: string, task: PrepareTask): Promise<PreparedText | undefined>
  compare(organizationId: string, before: string, after: string): Promise<Passage[]>
  /** Converts a text for an archive. @returns also the addresses in it that users wrote */
  toArchive(organizationId: string, task: archive.ToArchive): Promise<ReturnType<typeof archive.toArchive>>
  addressesIn(organizationId: string, body: string): Promise<string[]>
  htmlToMarkdown(organizationId: string, html: string): Promise<string>
  fromArchive(
    organizationId: string,
    task: { title: string; body: string; links: ReadonlyMap<string, archive.Imported> },
  ): Promise<PreparedText>
  /**
   * Runs changes of one page, or one tree, one after another; waiting holds no database connection.
   *
   * @throws ApiError 503 if the change did not start in time; nothing is done then
   */
  inTurn: InTurn
}

/** @param maxTurnWaitMs how long a change waits to start */
export const createPageTexts = (maxTurnWaitMs = MAX_TURN_WAIT_MS): PageTexts => {
  const { run } = createThreadPool<typeof tasks>(new URL('tasks.ts', import.meta.url), {
    maxThreads: MAX_THREADS,
    maxWaiting: MAX_WAITING,
    maxWaitingOfParty: MAX_WAITING_OF_ONE,
    maxWaitMs: MAX_WAIT_MS,
    maxMs: MAX_MS,
    idleMs: IDLE_MS,
    busy: 'Too many pages are being saved. Try again in a few seconds.',
  })
  return {
    prepare: (organizationId, task) => run(organizationId, 'prepareText', task),
    compare: (organizationId, before, after) => run(organizationId, 'compareTexts', { before, after }),
    toArchive: (organizationId, task) => run(organizationId, 'toArchive', task),
    addressesIn: (organizationId, body) => run(organizationId, 'addressesIn', body),
    htmlToMarkdown: (organizationId, html) => run(organizationId, 'htmlToMarkdown', html),
    fromArchive: (organizationId, task) => run(organizationId, 'fromArchive', task),
    inTurn: createTurns(
      maxTurnWaitMs,
      'Too many changes of this page or its tree are queued. Try again in a few seconds.',
    ),
  }
}
