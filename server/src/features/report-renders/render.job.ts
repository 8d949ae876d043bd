import { ThreadLimitError } from '../../platform/concurrency/threads.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Worker } from '../../platform/feature.ts'
import { type JobEnd, longRunningJob, type RunningJob } from '../../platform/jobs/kinds.ts'
import { countRedactions } from '../files/redaction/redactions.queries.ts'
import type { WriterProblem } from '../report-templates/report-document.ts'
import { fileNameOf } from './files/file-name.ts'
import { readRenderable } from './files/read-renderable.ts'
import { recordStoredReport, storeReport } from './files/store-file.ts'
import { waitForTurn } from './files/turns.ts'
import { writeReport } from './files/write-report.ts'
import * as query from './renders.queries.ts'

/** Jobs that this process has claimed: more than it runs, so that those of other organizations are among them. */
const CLAIMED = 8
const CLAIMED_OF_ORGANIZATION = 4
const MAX_PROBLEMS = 200

interface Outcome {
  state: 'succeeded' | 'failed'
  problems: WriterProblem[]
}

/** Writes a file of a draft. One that a dead worker has begun is written again. */
export const renderJob = longRunningJob<Outcome>({
  name: 'reports',
  guard: 'reports:read',
  resumes: true,
  perOrganization: CLAIMED_OF_ORGANIZATION,
  perProcess: CLAIMED,
  run: async (work, worker) => {
    const leave = await waitForTurn(work.organizationId)
    try {
      work.signal.throwIfAborted()
      return await render(work, worker)
    } finally {
      leave()
    }
  },
  onEnd: (tx, { organizationId, subjectId }, end) => finishRender(tx, organizationId, subjectId, end),
})

const render = async (work: RunningJob, worker: Worker): Promise<Outcome> => {
  const { organizationId, subjectId: id } = work
  const started = performance.now()
  const row = await work.batch(async (tx) => {
    await query.updateRender(tx, organizationId, id, { state: 'running' })
    const found = await query.findRender(tx, organizationId, id)
    if (!found) return undefined
    // Before a picture is read: a redaction in between makes the file stale.
    const redactions = await countRedactions(tx, organizationId, found.engagement_id)
    await query.updateRender(tx, organizationId, id, { redactions })
    return found
  })
  // Its report was deleted while this waited.
  if (!row) return { state: 'failed', problems: [] }
  const { format, engagement_id: engagementId, created_by: createdBy } = row
  const renderable = await readUnlessTooComplex(worker, organizationId, row)
  if (renderable instanceof ThreadLimitError)
    return { state: 'failed', problems: [{ level: 'error', message: renderable.message, where: null }] }
  const {
    bytes,
    pages = null,
    problems,
  } = await writeReport(renderable, format, {
    organizationId,
    signal: work.signal,
  })
  const shown = [...renderable.problems, ...problems].slice(0, MAX_PROBLEMS)
  const duration = () => ({ duration_ms: Math.round(performance.now() - started) })
  if (bytes === undefined) {
    await work.batch((tx) => query.updateRender(tx, organizationId, id, duration()))
    return { state: 'failed', problems: shown }
  }
  const stored = await storeReport(worker, organizationId, { format, fileName: fileNameOf(renderable, format), bytes })
  try {
    await work.batch(async (tx) => {
      const owner = { type: 'report_render', id } as const
      await recordStoredReport(tx, worker, stored, { owner, engagementId, createdBy })
      const { place, fileName, size, sha256 } = stored
      const file = { file_id: place.fileId, file_name: fileName, size, sha256 }
      await query.updateRender(tx, organizationId, id, { pages, ...file, ...duration() })
    })
  } catch (error) {
    await worker.storage.discard(stored.place)
    throw error
  }
  return { state: 'succeeded', problems: shown }
}

/** @returns the error for texts that would fail again */
const readUnlessTooComplex = async (worker: Worker, organizationId: string, row: query.RenderRow) => {
  try {
    return await readRenderable(worker, organizationId, row)
  } catch (error) {
    if (error instanceof ThreadLimitError) return error
    throw error
  }
}

const finishRender = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  end: JobEnd<Outcome>,
): Promise<void> => {
  const failed: WriterProblem = { level: 'error', message: end.reason ?? 'It could not be rendered.', where: null }
  const { state, problems } = end.result ?? { state: 'failed' as const, problems: [failed] }
  await query.updateRender(tx, organizationId, id, { state, problems: JSON.stringify(problems) })
}
