import { createThreadPool, ThreadLimitError } from '../../../../platform/concurrency/threads.ts'
import type { ReportSource } from '../read-source.ts'
import type { BuildOptions, Composed } from './compose-source.ts'
import type * as tasks from './compose-task.ts'

const MAX_SECONDS = 30

/**
 * Each organization formats one report at a time, so that others get a thread. Times in milliseconds, memory in MiB:
 * people can write Markdown that takes minutes. Someone waits for most of them: they have the usual priority.
 */
const threads = createThreadPool<typeof tasks>(new URL('compose-task.ts', import.meta.url), {
  maxThreads: 2,
  threadsOfParty: 1,
  maxWaiting: 64,
  maxWaitingOfParty: 16,
  maxWaitMs: 30_000,
  maxMs: MAX_SECONDS * 1_000,
  idleMs: 30_000,
  maxHeapMb: 1_024,
  busy: 'Too many reports are being formatted. Try again in a few seconds.',
})

const NO_BYTES = new Uint8Array()

/**
 * Composes a report in a thread, which gets no bytes that it does not read.
 *
 * @throws ApiError 503 if the texts take too long, or too many reports wait
 */
export const composeInThread = async (source: ReportSource, options: BuildOptions): Promise<Composed> => {
  const { images, template } = source
  const sent = {
    ...source,
    images: new Map([...images].map(([id, { value }]) => [id, { value, bytes: NO_BYTES }])),
    template: { ...template, fonts: [], docx: null },
  }
  try {
    const { document, ...composed } = await threads.run(source.organizationId, 'compose', { source: sent, options })
    const whole = [...document.images].map(([id, bytes]) => [id, images.get(id)?.bytes ?? bytes] as const)
    return { ...composed, document: { ...document, images: new Map(whole) } }
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    const message = `The texts of this report take longer than ${MAX_SECONDS} seconds, or too much memory, to format: simplify or split them.`
    throw new ThreadLimitError(message, error)
  }
}
