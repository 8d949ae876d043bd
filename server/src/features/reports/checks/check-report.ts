import { MAX_QUOTE } from '@sortie/contract/reports/reports.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Platform } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { findEntry } from '../../library/entries/entries.queries.ts'
import { composeReport } from '../document/build-report.ts'
import type { ComposedReport } from '../document/compose/compose-source.ts'
import type { Note, Place } from '../document/composer.ts'
import { fillable } from '../document/placeholders.ts'
import type { ReportReader, ReportSource } from '../document/read-source.ts'
import { baseOf, missingLabels } from '../labels/labels.ts'
import * as query from './checks.queries.ts'
import { findingProblems, missingTranslations } from './finding-checks.ts'
import {
  type CheckCode,
  type CheckedText,
  fingerprintOf,
  levelOf,
  type Problem,
  type ShownProblem,
} from './problems.ts'
import { secretsIn, tokensIn } from './secrets.ts'
import { shownTexts } from './shown-texts.ts'
import { spelledTexts } from './spelling/spelled-texts.ts'
import { spellingProblems } from './spelling/spelling.ts'
import { otherClients, todoMarks } from './words.ts'

export interface CheckedReport {
  problems: ShownProblem[]
  composed: ComposedReport
}

type Context = ReportReader & Pick<Platform, 'db'> & { actor: Pick<Actor, 'organizationId'> }

/**
 * The problems of a report, errors first, with their waivers. The caller has checked that the reader sees the report.
 *
 * @throws ApiError NOT_FOUND
 */
export const checkReport = async (
  context: Context & Pick<Platform, 'log'>,
  organizationId: string,
  reportId: string,
): Promise<ShownProblem[]> => {
  const spelling = (source: ReportSource) => spellingProblems(context, source, spelledTexts(source))
  return (await check(context, organizationId, reportId, spelling)).problems
}

/** Like `checkReport`, with the report that was checked, and without its spelling, which blocks nothing. */
export const checkWhole = (context: Context, organizationId: string, reportId: string): Promise<CheckedReport> =>
  check(context, organizationId, reportId, () => [])

const check = async (
  context: Context,
  organizationId: string,
  reportId: string,
  spelling: (source: ReportSource) => Problem[] | Promise<Problem[]>,
): Promise<CheckedReport> => {
  const composed = await composeReport(context, organizationId, reportId)
  const { source } = composed
  const whole = context.scopedTo(organizationId)
  const { live, recorded } = shownTexts(composed.document.data)
  const texts = [...textsIn(source), ...live]
  const seen = await query.listSeenClients(context.db, organizationId)
  const clients = (await query.listClients(whole, organizationId))
    .filter(({ id }) => id !== source.frame.client_id)
    .map((client) => ({ ...client, shortName: client.short_name, isSeen: seen.has(client.id) }))
  const own = [
    source.frame.client_name ?? '',
    source.frame.client_short_name ?? '',
    ...(source.frame.client_domains ?? []),
    source.frame.organization_name,
  ]
  const found: Problem[] = [
    ...composed.notes.flatMap(problemOf),
    ...emptySections(source),
    ...findingProblems(source),
    ...todoMarks(texts),
    ...otherClients([...texts, ...recorded], clients, own),
    ...secretsIn(texts),
    // Random characters next to "token" are usual in what a server answers.
    ...secretsIn(recorded, tokensIn),
    ...missingTranslations(source, await untranslated(whole, organizationId, source)),
    ...missingWords(source),
    ...(await spelling(source)),
  ]
  const waivers = new Map(
    (await query.listWaivers(whole, organizationId, reportId)).map((waiver) => [waiver.fingerprint, waiver]),
  )
  const problems = unique(found).map((problem): ShownProblem => {
    const waiver = waivers.get(fingerprintOf(problem))
    return {
      ...problem,
      level: levelOf(problem.code),
      waived: waiver
        ? {
            by: waiver.waived_by === null ? null : { id: waiver.waived_by, name: waiver.by_name },
            at: waiver.waived_at,
            reason: waiver.reason,
          }
        : null,
    }
  })
  const rank = ({ level }: ShownProblem) => (level === 'error' ? 0 : 1)
  return { problems: problems.toSorted((a, b) => rank(a) - rank(b)), composed }
}

/** Reports whether problems block delivery: errors that no one has accepted. */
export const hasOpenErrors = (problems: readonly ShownProblem[]): boolean =>
  problems.some(({ level, waived }) => level === 'error' && waived === null)

/** Once each; long quotes are cut. */
const unique = (problems: readonly Problem[]): Problem[] => {
  const cut = problems.map(({ where, ...problem }) => ({
    ...problem,
    where: { ...where, quote: where.quote === null ? null : [...where.quote].slice(0, MAX_QUOTE).join('') },
  }))
  return [...new Map(cut.map((problem) => [fingerprintOf(problem), problem])).values()]
}

const CODES: Partial<Record<Note['code'], CheckCode>> = {
  unknown_placeholder: 'unknown_placeholder',
  empty_placeholder: 'empty_placeholder',
  missing_file: 'missing_file',
  unreadable_image: 'missing_file',
  broken_reference: 'broken_reference',
  figure_without_caption: 'figure_without_caption',
}

const problemOf = ({ code, message, place, quote }: Note): Problem[] => {
  const check = CODES[code]
  return check ? [{ code: check, message, where: { ...place, quote } }] : []
}

/** Sections without any text; one that is hidden may be empty. */
const emptySections = ({ sections }: ReportSource): Problem[] =>
  sections.flatMap(({ id, live_type: type, body }) =>
    type === null && body.trim() === ''
      ? [
          {
            code: 'required_field_empty' as const,
            message: 'The section is empty: write its text, hide it, or delete it.',
            where: { type: 'section' as const, id, section: null, quote: null },
          },
        ]
      : [],
  )

/** Every text of a report, with titles, captions and the lines of its template. */
const textsIn = (source: ReportSource): CheckedText[] => {
  const { report, sections, findings, affected, files, template } = source
  const at = (place: Place) => (text: string) => ({ text, place })
  const inReport = at({ type: 'report', id: report.id, section: null })
  const ofFinding = findings.flatMap((finding) => {
    const inFinding = (section: string | null) => at({ type: 'finding', id: finding.id, section })
    const own = affected.filter(({ finding_id: id }) => id === finding.id)
    return [
      inFinding(null)(finding.title),
      inFinding(null)(finding.severity_reason),
      inFinding('summary')(finding.summary),
      inFinding('description')(finding.description),
      inFinding('impact')(finding.impact),
      inFinding('reproduction')(finding.reproduction),
      inFinding('recommendation')(finding.recommendation),
      ...finding.source_references.map(inFinding('references')),
      ...finding.tags.map(inFinding(null)),
      ...own.flatMap(({ asset, note }) => [asset, note].map(inFinding('affected'))),
      ...Object.values(finding.fields)
        .filter((value) => typeof value === 'string')
        .map(inFinding('fields')),
    ]
  })
  const captions = [...files.values()].map((file) => {
    const place: Place =
      file.owner_type === 'finding'
        ? { type: 'finding', id: file.owner_id, section: 'evidence' }
        : { type: 'report', id: report.id, section: null }
    return { text: file.caption, place }
  })
  return [
    inReport(report.title),
    ...fillable(template.settings).map(inReport),
    ...sections.flatMap(({ id, title, body }) => [title, body].map(at({ type: 'section', id, section: null }))),
    ...ofFinding,
    ...captions,
  ].filter(({ text }) => text !== '')
}

/** By finding: the main language of its library entry, if that has no texts in the language of the report. */
const untranslated = async (
  db: Database,
  organizationId: string,
  { findings, report }: ReportSource,
): Promise<Map<string, string>> => {
  const missing = new Map<string, string>()
  const entries = new Map<string, Awaited<ReturnType<typeof findEntry>>>()
  for (const { id, library_entry_id: entryId } of findings) {
    if (entryId === null) continue
    if (!entries.has(entryId)) entries.set(entryId, await findEntry(db, organizationId, entryId))
    const entry = entries.get(entryId)
    if (!entry) continue
    const languages = Object.keys(entry.texts).map(baseOf)
    if (!languages.includes(baseOf(report.language))) missing.set(id, entry.main_language)
  }
  return missing
}

/** A language that neither the product nor the template has words for. */
const missingWords = ({ report, template }: ReportSource): Problem[] => {
  const missing = missingLabels(report.language, template.settings.labels)
  if (missing.length === 0) return []
  return [
    {
      code: 'missing_translation',
      message: `${missing.length} words of the report are in English: the template has none in this language.`,
      where: { type: 'report', id: report.id, section: null, quote: report.language },
    },
  ]
}
