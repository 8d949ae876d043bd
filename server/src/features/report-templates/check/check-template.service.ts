import type { CheckOutcome } from '@sortie/contract/reports/report-templates.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import { ThreadLimitError } from '../../../platform/concurrency/threads.ts'
import type { Platform } from '../../../platform/context.ts'
import { conflict, internalError } from '../../../platform/errors.ts'
import { getTemplateVersion } from '../find-template.ts'
import type { ReportDocument } from '../report-document.ts'
import type { TemplateVersion } from '../template-version.ts'
import { requireTemplate } from '../templates.service.ts'
import { difficultReports } from './difficult.ts'
import type { WordCheck } from './word-check.ts'
import { WORD_SECONDS, type WordThreads } from './word-threads.ts'

type Outcome = Static<typeof CheckOutcome>
export type CheckProblem = Outcome['problems'][number]

export interface TypstCheck {
  problems: CheckProblem[]
  /** Whether it reached a limit of time or memory: other documents would reach it as well. */
  isStopped: boolean
}

/** For all documents of a check together: its answer has 120 seconds. */
const MAX_MS = 100_000

/** What the features above do for a check. */
export interface CheckTools {
  /** Compiles a report with the sources, fonts and settings of a template, in another process. */
  checkTypst(
    organizationId: string,
    document: ReportDocument,
    template: TemplateVersion,
    until: number,
  ): Promise<TypstCheck>
  /** The report that an engagement would have with this template. @throws ApiError VALIDATION_ERROR for a hidden one */
  documentOf(
    platform: Pick<Platform, 'db' | 'config' | 'clock' | 'storage'>,
    actor: Actor,
    engagementId: string,
    template: TemplateVersion,
  ): Promise<ReportDocument>
}

/**
 * Renders a template with difficult reports, and with an engagement if one is named.
 *
 * @returns every problem, errors first, each once
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for an engagement that the caller does not see
 */
export const checkReportTemplate = async (
  platform: Pick<Platform, 'db' | 'config' | 'clock' | 'storage'>,
  actor: Actor,
  { tools, threads }: { tools: CheckTools; threads: WordThreads },
  templateId: string,
  engagementId: string | undefined,
  maxMs = MAX_MS,
): Promise<Outcome> => {
  const until = performance.now() + maxMs
  const { organizationId } = actor
  const { head } = await requireTemplate(platform.db, organizationId, templateId)
  const template = await getTemplateVersion(platform, organizationId, templateId, head.version)
  if (!template) throw internalError(new Error(`template ${templateId} has no version ${head.version}`))
  const { accent, paper } = template.settings
  const design = { ...(accent !== undefined && { accent }), ...(paper !== undefined && { paper }) }
  const documents = difficultReports(design).map(({ document }) => document)
  if (engagementId !== undefined) documents.push(await tools.documentOf(platform, actor, engagementId, template))
  const word = template.docx
    ? await checkWord(threads, organizationId, template.docx.bytes, documents)
    : { problems: [], unusedFields: [] }
  const problems: CheckProblem[] = word.problems.map((problem) => ({ ...problem, line: null, text: null }))
  for (const document of documents) {
    const checked = await tools.checkTypst(organizationId, document, template, until)
    problems.push(...checked.problems)
    if (checked.isStopped) break
  }
  const each = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  const sorted = [...each.values()].toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'))
  return { problems: sorted, unusedFields: word.unusedFields }
}

/** A template that takes too long has that problem, and no other one. */
const checkWord = async (
  threads: WordThreads,
  organizationId: string,
  template: Uint8Array,
  documents: ReportDocument[],
): Promise<WordCheck> => {
  try {
    return await threads.run(organizationId, 'check', { template, documents })
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    const message = `The Word file takes more than ${WORD_SECONDS} seconds, or too much memory, to fill.`
    const place = { file: 'word/document.xml', tag: null, context: null, paragraph: null, fits: null }
    return { problems: [{ level: 'error', message, ...place }], unusedFields: [] }
  }
}

/** @throws ApiError CONFLICT that counts the errors and names the place of the first */
export const requireNoErrors = ({ problems }: Outcome): void => {
  const errors = problems.filter(({ level }) => level === 'error')
  const [first] = errors
  if (!first) return
  const place = [
    ...(first.file === null ? [] : [first.file]),
    ...(first.line === null ? [] : [`line ${first.line}`]),
    ...(first.paragraph === null ? [] : [`paragraph ${first.paragraph}`]),
  ]
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`
  throw conflict(`The check of this template found ${count}: ${place.join(', ') || first.message}.`)
}
