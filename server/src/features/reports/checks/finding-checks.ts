import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { severityOf } from '../../../platform/lists/severities.ts'
import type { WholeFindingRow } from '../../findings/findings.queries.ts'
import { textsOf } from '../document/compose/finding-texts.ts'
import type { ReportSource } from '../document/read-source.ts'
import { baseOf } from '../labels/labels.ts'
import type { CheckCode, Problem } from './problems.ts'

/** Problems of the findings of a report, by their fields. */
export const findingProblems = (source: ReportSource): Problem[] =>
  source.findings.flatMap((finding) => problemsOf(finding, source))

const REQUIRED = ['summary', 'description', 'recommendation'] as const

const problemsOf = (finding: WholeFindingRow, source: ReportSource): Problem[] => {
  const problem = (code: CheckCode, message: string, section: string | null = null, quote: string | null = null) => ({
    code,
    message,
    where: { type: 'finding' as const, id: finding.id, section, quote },
  })
  const affected = source.affected.filter(({ finding_id: id }) => id === finding.id)
  const fields = source.definitions.filter(({ object_type: type, required }) => type === 'finding' && required)
  const problems: Problem[] = []
  for (const section of REQUIRED)
    if (finding[section].trim() === '')
      problems.push(problem('required_field_empty', `The text "${section}" of the finding is empty.`, section))
  for (const { key, label } of fields)
    if (!Object.hasOwn(finding.fields, key))
      problems.push(
        problem('required_field_empty', `The required field "${label}" of the finding is empty.`, `fields.${key}`),
      )
  if (finding.state !== 'approved')
    problems.push(problem('finding_not_approved', 'The finding is not approved.', null, finding.state))
  if (!hasEvidence(finding, source))
    problems.push(
      problem('finding_without_evidence', 'The finding has neither a file nor a recorded request as evidence.'),
    )
  if (affected.length === 0) problems.push(problem('finding_without_assets', 'The finding names no affected asset.'))
  if (
    finding.cvss_score !== null &&
    severityOfScore(finding.cvss_score) !== severityOf(finding.severity) &&
    finding.severity_reason === ''
  )
    problems.push(
      problem(
        'severity_differs_from_score',
        'The severity is not that of the score, and no reason is given.',
        null,
        `${severityOf(finding.severity)} ${finding.cvss_score.toFixed(1)}`,
      ),
    )
  for (const { asset, verdict } of affected)
    if (verdict === 'out')
      problems.push(problem('asset_out_of_scope', 'An affected asset is out of scope.', 'affected', asset))
  if (finding.verification === 'machine_found')
    problems.push(
      problem(
        'machine_unverified',
        'The finding comes from a tool, and no person has verified it.',
        null,
        finding.verification,
      ),
    )
  return [...problems, ...retestProblems(finding, source)]
}

const hasEvidence = (finding: WholeFindingRow, { files }: ReportSource): boolean =>
  finding.proofs.length > 0 ||
  [...files.values()].some(({ owner_type: type, owner_id: id }) => type === 'finding' && id === finding.id) ||
  textsOf(finding).some((text) => text.includes('![[') || text.includes('](fil_'))

/** In a report of a retest, every finding was retested, and every item of its last retest has an outcome. */
const retestProblems = ({ id }: WholeFindingRow, { report, retestItems }: ReportSource): Problem[] => {
  if (report.kind !== 'retest') return []
  const items = retestItems.filter(({ finding_id: findingId }) => findingId === id)
  const missing = items.filter(({ outcome }) => outcome === null || outcome === 'not_retested')
  if (items.length > 0 && missing.length === 0) return []
  const quotes = items.length === 0 ? [null] : missing.map(({ asset }) => asset)
  return quotes.map((quote) => ({
    code: 'retest_incomplete',
    message: quote === null ? 'The finding was not retested.' : 'An asset of the finding was not retested.',
    where: { type: 'finding', id, section: 'retest', quote },
  }))
}

/** Findings that were made from an entry of the library without texts in the language of the report. */
export const missingTranslations = (source: ReportSource, missing: ReadonlyMap<string, string>): Problem[] =>
  source.findings.flatMap(({ id }) => {
    const language = missing.get(id)
    if (language === undefined || baseOf(language) === baseOf(source.report.language)) return []
    return [
      {
        code: 'missing_translation' as const,
        message: `The library entry of the finding has no texts in the language of the report: they are in ${language}.`,
        where: { type: 'finding' as const, id, section: null, quote: language },
      },
    ]
  })
