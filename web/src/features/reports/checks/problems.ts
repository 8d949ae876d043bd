import type { Output } from '@sortie/client/calls.ts'

export type Problem = Output<'checkReport'>['data'][number]

/** Problems without a waiver. */
export const openProblems = (problems: readonly Problem[]): Problem[] =>
  problems.filter(({ waived }) => waived === null)

/** Those that block delivery. */
export const blockingProblems = (problems: readonly Problem[]): Problem[] =>
  openProblems(problems).filter(({ level }) => level === 'error')

/** Problems with the same code and message together, in the order of the first of each. */
export const byMessage = (problems: readonly Problem[]): Problem[][] => {
  const groups = new Map<string, Problem[]>()
  for (const problem of problems) {
    const key = `${problem.code} ${problem.message}`
    groups.set(key, [...(groups.get(key) ?? []), problem])
  }
  return [...groups.values()]
}

/** Unique among the problems of a report. */
export const keyOf = ({ code, where: { type, id, section, quote } }: Problem): string =>
  [code, type, id, section, quote].join('\n')

export const CODE_LABELS: Record<Problem['code'], string> = {
  required_field_empty: 'Required field is empty',
  unknown_placeholder: 'Unknown placeholder',
  empty_placeholder: 'Placeholder without a value',
  todo_mark: 'Unfinished text',
  missing_file: 'Missing file',
  figure_without_caption: 'Figure without a caption',
  finding_not_approved: 'Finding is not approved',
  finding_without_evidence: 'Finding without evidence',
  finding_without_assets: 'Finding without assets',
  severity_differs_from_score: 'Severity differs from the score',
  asset_out_of_scope: 'Asset out of scope',
  other_client: 'Another client',
  secret_in_text: 'Secret in a text',
  missing_translation: 'Missing translation',
  retest_incomplete: 'Retest is not finished',
  broken_reference: 'Broken reference',
  machine_unverified: 'Not verified by a person',
  spelling: 'Spelling',
}
