import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import type { LiveContext } from './live-context.ts'
import { sentence, tableOf } from './tables.ts'

const OUTCOMES = ['pass', 'fail', 'not_applicable', 'untested'] as const
const LABELS = {
  pass: 'outcomePass',
  fail: 'outcomeFail',
  not_applicable: 'outcomeNotApplicable',
  untested: 'outcomeUntested',
} as const
type Outcome = (typeof OUTCOMES)[number]

/** The outcome of an item at several targets: a failure counts most. */
const togetherOf = (outcomes: readonly Outcome[]): 'outcomeMixed' | (typeof LABELS)[Outcome] => {
  const kinds = new Set(outcomes.filter((outcome) => outcome !== 'not_applicable'))
  if (kinds.size === 0) return outcomes.length > 0 ? 'outcomeNotApplicable' : 'outcomeUntested'
  if (kinds.has('fail')) return kinds.size > 1 ? 'outcomeMixed' : 'outcomeFail'
  return kinds.has('untested') ? 'outcomeUntested' : 'outcomePass'
}

/** What a methodology asks for, and what became of it: counts, and each item with its outcome. */
export const coverage = (context: LiveContext): BlockValue[] => {
  const { source, composer, section, words } = context
  const { labels } = composer
  const found = source.live.coverage.get(section.id)
  if (!found || found.checks.length === 0) return [sentence(labels.noCoverage)]
  const { methodology, checks, targets } = found
  const byItem = Map.groupBy(checks, ({ item_key: key }) => key)
  const count = (outcome: Outcome) => words.number(checks.filter((check) => check.outcome === outcome).length)
  return [
    ...tableOf(
      context,
      methodology.version === '' ? methodology.name : `${methodology.name} ${methodology.version}`,
      [{ title: labels.outcome }, { title: labels.count, align: 'right' }],
      OUTCOMES.map((outcome) => [labels[LABELS[outcome]], count(outcome)]),
    ),
    ...tableOf(
      context,
      methodology.name,
      [{ title: labels.number }, { title: labels.item }, { title: labels.asset }, { title: labels.outcome }],
      methodology.items
        .filter(({ key }) => byItem.has(key))
        .map((item) => {
          const own = byItem.get(item.key) ?? []
          const places = own.flatMap(({ target_id: id }) => (id === null ? [] : (targets.get(id) ?? [])))
          return [item.key, item.title, places.join(', '), labels[togetherOf(own.map(({ outcome }) => outcome))]]
        }),
    ),
  ]
}
