import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { MEDIA_TYPES, type RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { isoTime } from '../../platform/clock.ts'
import { createFairQueue } from '../../platform/concurrency/fair-queue.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, tooLarge, unavailable } from '../../platform/errors.ts'
import type { Worker } from '../../platform/feature.ts'
import { discardFile, receiveFile } from '../../platform/files/storage.ts'
import { newId } from '../../platform/ids.ts'
import { type JobEnd, longRunningJob, type LongRunningJob, type RunningJob } from '../../platform/jobs/kinds.ts'
import { insertFile } from '../files/files.queries.ts'
import { requireStorage } from '../files/storage-quota.service.ts'
import type { WriterProblem } from '../report-templates/report-document.ts'
import { fileNameOf } from './files/file-name.ts'
import { type Renderable, readRenderable } from './files/read-renderable.ts'
import { writeReport } from './files/write-report.ts'
import * as query from './renders.queries.ts'

/** Files that are written at the same time in this process. */
const AT_ONCE = 2
/** Jobs that this process has claimed, so that those of other organizations are among them. */
const CLAIMED = 8
const CLAIMED_OF_ORGANIZATION = 4
const MAX_WAIT_MS = 600_000
const MAX_PROBLEMS = 200

const busy = () => unavailable('Too many reports are being rendered: try again later.', undefined, 30)
/** If two organizations render, each has one of the places as soon as one is free. */
const waitForTurn = createFairQueue({ places: AT_ONCE, maxWaiting: 1_000, maxWaitMs: MAX_WAIT_MS }, busy, busy)

interface Outcome {
  state: 'succeeded' | 'failed'
  problems: WriterProblem[]
}

const kind = (name: string, guard: 'reports:read' | 'reports:write'): LongRunningJob =>
  longRunningJob<Outcome>({
    name,
    guard,
    resumes: true,
    perOrganization: CLAIMED_OF_ORGANIZATION,
    perProcess: CLAIMED,
    run: (work, worker) => render(work, worker),
    onEnd: (tx, { organizationId, subjectId }, end) => finishRender(tx, organizationId, subjectId, end),
  })

/** Writes a file of a draft. */
export const renderJob = kind('reports', 'reports:read')
/** Writes a file of an edition. */
export const editionJob = kind('editions', 'reports:write')

const render = async (work: RunningJob, worker: Worker): Promise<Outcome> => {
  const { organizationId, subjectId: id } = work
  const leave = await waitForTurn(organizationId)
  try {
    work.signal.throwIfAborted()
    const started = performance.now()
    const row = await work.batch(async (tx) => {
      await query.updateRender(tx, organizationId, id, { state: 'running' })
      return query.findRender(tx, organizationId, id)
    })
    // The report was deleted while this waited.
    if (!row) return { state: 'failed', problems: [] }
    const renderable = await readRenderable(worker, organizationId, row)
    requireUnchanged(row, renderable)
    const { bytes, pages, problems } = await writeReport(renderable, row.format, work.signal)
    const shown = [...renderable.problems, ...problems].slice(0, MAX_PROBLEMS)
    const change = { pages: pages ?? null, duration_ms: Math.round(performance.now() - started) }
    if (bytes === undefined) {
      await work.batch((tx) => query.updateRender(tx, organizationId, id, change))
      return { state: 'failed', problems: shown }
    }
    await storeRender(work, worker, { row, renderable, bytes, change })
    return { state: 'succeeded', problems: shown }
  } finally {
    leave()
  }
}

const requireUnchanged = ({ data_sha256: wanted }: query.RenderRow, { document: { data } }: Renderable): void => {
  if (wanted !== null && wanted !== sha256Of(data)) throw conflict('What the report shows has changed in the meantime.')
}

export const sha256Of = (data: unknown): string => createHash('sha256').update(JSON.stringify(data)).digest('hex')

interface Written {
  row: query.RenderRow
  renderable: Renderable
  bytes: Uint8Array
  change: { pages: number | null; duration_ms: number }
}

/** The file first, then its row: a crash in between leaves a file that the hourly job deletes. */
const storeRender = async (
  work: RunningJob,
  { config, clock }: Worker,
  { row, renderable, bytes, change }: Written,
): Promise<void> => {
  const { organizationId, subjectId: id } = work
  const now = clock.now()
  const fileId = newId('fil', now)
  const place = { root: config.STORAGE_PATH, organizationId, fileId }
  const maxBytes = config.UPLOAD_LIMIT_BYTES
  const { size, sha256 } = await receiveFile(place, Readable.from([bytes]), {
    maxBytes,
    refusal: () => tooLarge(maxBytes),
  })
  const fileName = fileNameOf(renderable, row.format as RenderFormat)
  try {
    await work.batch(async (tx) => {
      await requireStorage(tx, { config }, organizationId, size)
      await insertFile(tx, {
        id: fileId,
        organization_id: organizationId,
        engagement_id: row.engagement_id,
        owner_type: 'report_render',
        owner_id: id,
        file_name: fileName,
        size,
        sha256,
        media_type: MEDIA_TYPES[row.format],
        run_id: null,
        created_by: row.created_by,
        created_at: isoTime(now),
      })
      const file = { file_id: fileId, file_name: fileName, size, sha256 }
      await query.updateRender(tx, organizationId, id, { ...change, ...file })
    })
  } catch (error) {
    await discardFile(place)
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
