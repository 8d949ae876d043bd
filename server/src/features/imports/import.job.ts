import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Worker } from '../../platform/feature.ts'
import { type RunningJob, type JobEnd, longRunningJob } from '../../platform/jobs/kinds.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import {
  countGone,
  forgetCoverages,
  recordGone,
  forEachInventoryBatch,
} from '../inventory/coverage/mark-gone.service.ts'
import { countChanges } from '../inventory/ingest/ingest.service.ts'
import { type ChangeCounts, NO_CHANGES } from '../inventory/ingest/sources.ts'
import { notifyReopened } from '../results/triage/notify-reopened.service.ts'
import { type FormatId, UnreadableFile } from '../scanner-formats/registry/format.ts'
import { recognise } from '../scanner-formats/registry/formats.ts'
import type { FileToRead } from '../scanner-formats/registry/read-file.ts'
import { readInThread } from '../scanner-formats/registry/read-in-thread.ts'
import { countImportTargets } from './import-targets.queries.ts'
import * as query from './imports.queries.ts'
import { finishFile, type ImportOutcome, olderWarning, outcomeOf } from './run/finish.ts'
import { adoptBatch, columnsOf, type ImportSession, noteItems, openSession, sourceOf } from './run/session.ts'
import { completeWords, WordsOfBatches } from './run/words.ts'
import { writeBatch } from './run/write-batch.ts'

/** Maximum gzip expansion ratio. */
const MAX_GZIP_RATIO = 100

/**
 * Reads the file of an import and writes its results, or records what it would write. Runs one at a time per
 * organization, so that two imports of an engagement are sequential. A resumed import starts at the beginning of its
 * file; results that it has already written are known and not counted again.
 */
export const importFile = longRunningJob<ImportOutcome>({
  name: 'import',
  guard: 'targets:write',
  resumes: true,
  perOrganization: 1,
  event: 'import',
  run: (work, worker) => runImport(work, worker),
  onEnd: (tx, { organizationId, subjectId }, end) => finishImport(tx, organizationId, subjectId, end),
})

const runImport = async (work: RunningJob, worker: Worker): Promise<ImportOutcome> => {
  const session = openSession(await beginImport(work), worker.clock, {
    results: worker.config.RESULT_LIMIT,
    targets: worker.config.TARGET_LIMIT,
  })
  try {
    await readAll(work, worker, session)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    session.notes.cut = error.message
  }
  const warnings = await inBatch(work, (tx) => finishFile(tx, session))
  const outcome = outcomeOf(session)
  const { state } = outcome
  if (state === 'applied' || state === 'partial') await markAllAsGone(work, worker, session)
  const missed = state === 'previewed' ? await countAllGone(work, session) : 0
  await inBatch(work, async (tx, actor) => {
    const counted =
      state === 'previewed'
        ? { ...NO_CHANGES, ...(await query.countPreviews(tx, work.organizationId, work.subjectId)) }
        : undefined
    const previewed = counted && { ...counted, gone: counted.gone + missed }
    await query.updateImport(tx, work.organizationId, work.subjectId, {
      ...columnsOf(session, session.written),
      warnings: previewed && previewed.older > 0 ? [...warnings, olderWarning(session, previewed.older)] : warnings,
      counts: JSON.stringify(await countsOf(tx, work.organizationId, work.subjectId, previewed)),
    })
    // A resumed import that had come this far has notified them.
    if (session.row.counts === null && state !== 'previewed') await notifyReopened(tx, worker, actor, sourceOf(session))
  })
  return outcome
}

/** Every step of the import holds the engagement's lock. */
const inBatch = <T>(work: RunningJob, change: (tx: Transaction, actor: Actor) => Promise<T>): Promise<T> =>
  work.batch(async (tx, actor) => {
    await lockWritableEngagementForShare(tx, actor, work.engagementId as string)
    return change(tx, actor)
  })

const beginImport = (work: RunningJob): Promise<query.ImportRow> =>
  inBatch(work, async (tx) => {
    const { organizationId, subjectId: id } = work
    const row = (await query.lockImport(tx, organizationId, id)) as query.ImportRow
    await query.deleteNotes(tx, organizationId, id)
    await forgetCoverages(tx, organizationId, id)
    await completeWords(tx, organizationId, id)
    // Decides which of several simultaneous imports of a file is first.
    const brought =
      row.mode === 'apply'
        ? { duplicate_of: await query.findBrought(tx, organizationId, row.engagement_id, row.sha256) }
        : {}
    await query.updateImport(tx, organizationId, id, {
      ...brought,
      state: 'parsing',
      rejected: 0,
      out_of_scope: 0,
      warnings: [],
      state_reason: null,
    })
    return row
  })

const readAll = async (work: RunningJob, { config, storage }: Worker, session: ImportSession): Promise<void> => {
  const row = (await work.batch((tx) => query.findImport(tx, work.organizationId, work.subjectId))) as query.ImportRow
  const wanted = row.wanted_format as FormatId | 'auto'
  if (row.file_id === null) {
    recognise({ shape: 'empty' }, wanted)
    session.notes.format = wanted
    return
  }
  const local = await storage.borrow({ organizationId: work.organizationId, fileId: row.file_id }, row.sha256)
  if (!local) throw new Error(`the file of ${row.file_id} is not in ${storage.name}`)
  const file: FileToRead = {
    path: local.path,
    format: wanted,
    mapping: row.options.mapping,
    baseUrl: row.options.baseUrl ?? undefined,
    limits: { maxRatio: MAX_GZIP_RATIO, maxBytes: config.UPLOAD_LIMIT_BYTES },
  }
  const words = new WordsOfBatches(work)
  try {
    for await (const { items, bytes } of readInThread(file, work.signal)) {
      noteItems(session, items)
      const batch = await inBatch(work, (tx) => writeBatch(tx, session, items))
      adoptBatch(session, batch)
      await words.begin(batch.created)
      work.report(bytes, row.size)
    }
    await words.end()
  } finally {
    await local.release()
  }
}

const markAllAsGone = (work: RunningJob, { clock }: Worker, session: ImportSession): Promise<void> =>
  forEachInventoryBatch((after) => inBatch(work, (tx) => recordGone(tx, clock, sourceOf(session), after)))

const countAllGone = async (work: RunningJob, session: ImportSession): Promise<number> => {
  const source = sourceOf(session)
  let gone = 0
  await forEachInventoryBatch(async (after) => {
    const { count, next } = await inBatch(work, (tx) => countGone(tx, source, after))
    gone += count
    return next
  })
  return gone
}

const countsOf = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
  previewed?: ChangeCounts,
): Promise<query.StoredCounts> => ({
  results: previewed ?? (await countChanges(tx, organizationId, importId)),
  targets: await countImportTargets(tx, organizationId, importId),
})

/** An import that was interrupted keeps what it has written: it is partial and can be undone. */
const finishImport = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
  end: JobEnd<ImportOutcome>,
): Promise<void> => {
  const row = await query.lockImport(tx, organizationId, importId)
  if (!row) return
  await completeWords(tx, organizationId, importId)
  const counts = row.counts ?? (await countsOf(tx, organizationId, importId))
  const hasWritten = Object.values((await countsOf(tx, organizationId, importId)).results).some((count) => count > 0)
  const broken: ImportOutcome = { state: hasWritten ? 'partial' : 'failed', reason: end.reason }
  const { state, reason } = end.result ?? broken
  const endedAt = await query.currentTime(tx)
  await query.updateImport(tx, organizationId, importId, {
    state,
    state_reason: reason,
    counts: JSON.stringify(counts),
    finished_at: endedAt,
  })
}
