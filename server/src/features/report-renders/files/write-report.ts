import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { createThreadPool, ThreadLimitError } from '../../../platform/concurrency/threads.ts'
import type { TypstInput } from '../typst/document.ts'
import { writePdf } from '../typst/write-pdf.ts'
import type { Renderable } from './read-renderable.ts'
import type * as tasks from './write-task.ts'
import type { Written } from './write-task.ts'

const MAX_SECONDS = 60

/** As many as there are turns (turns.ts), which are taken in a fair order. Times in milliseconds, memory in MiB. */
const threads = createThreadPool<typeof tasks>(new URL('write-task.ts', import.meta.url), {
  maxThreads: 2,
  maxWaiting: 16,
  maxWaitMs: 60_000,
  maxMs: MAX_SECONDS * 1_000,
  idleMs: 30_000,
  maxHeapMb: 1_536,
  isLowPriority: true,
  busy: 'Too many reports are being written. Try again in a few seconds.',
})

/**
 * Writes a report in a format, outside of the thread that answers requests.
 *
 * @param isArchived a PDF file is PDF/A; not one that will be encrypted
 */
export const writeReport = async (
  renderable: Renderable,
  format: RenderFormat,
  { organizationId, signal, isArchived = true }: { organizationId: string; signal: AbortSignal; isArchived?: boolean },
): Promise<Written> => {
  if (format === 'pdf') return pdfOf(renderable, isArchived ? 'a-2a' : '2.0', signal)
  const { document, template } = renderable
  const wordTemplate = format === 'docx' ? (template.docx?.bytes ?? null) : null
  try {
    return await threads.run(organizationId, format, { document, wordTemplate })
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    const message = `The file takes more than ${MAX_SECONDS} seconds, or too much memory, to write.`
    return { bytes: undefined, problems: [{ level: 'error', message, where: null }] }
  }
}

const pdfOf = async (
  { document, template, isExtract }: Renderable,
  standard: TypstInput['standard'],
  signal: AbortSignal,
): Promise<Written> => {
  const { pdf, pages, problems } = await writePdf(
    {
      ...document,
      overrides: template.typst,
      fonts: template.fonts.map(({ bytes }) => bytes),
      standard,
      isExtract,
    },
    signal,
  )
  const shown = problems.map(({ level, message, where }) => ({ level, message, where }))
  return { bytes: pdf, ...(pdf && { pages }), problems: shown }
}
