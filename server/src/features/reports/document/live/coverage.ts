import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import type { LiveContext } from './live-context.ts'
import { bold, sentence, tableOf } from './tables.ts'

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

/** Names in one cell; of more assets, their number is shown, and all their names once before the table. */
const MAX_NAMED = 3

interface Checked {
  name: string
  outcome: Outcome
}

const assetsOf = ({ composer: { labels }, words }: LiveContext, checked: readonly Checked[]): string => {
  const named = (some: readonly Checked[]) =>
    some.length > MAX_NAMED ? words.number(some.length) : some.map(({ name }) => name).join(', ')
  if (checked.length <= MAX_NAMED) return named(checked)
  const count = labels.assetCount.replace('{count}', words.number(checked.length))
  const failed = checked.filter(({ outcome }) => outcome === 'fail')
  return failed.length === 0 || failed.length === checked.length
    ? count
    : `${count}; ${labels.outcomeFail}: ${named(failed)}`
}

/** What a methodology asks for, and what became of it: counts, and each item with its outcome. */
export const coverage = (context: LiveContext): BlockValue[] => {
  const { source, composer, place, section, words } = context
  const { labels } = composer
  const found = source.live.coverage.get(section.id)
  if (!found || found.checks.length === 0) return [sentence(labels.noCoverage)]
  const { methodology, checks, targets } = found
  const byItem = Map.groupBy(checks, ({ item_key: key }) => key)
  const checkedOf = (key: string): Checked[] =>
    (byItem.get(key) ?? []).flatMap(({ target_id: id, outcome }) => {
      const name = id === null ? undefined : targets.get(id)
      return name === undefined ? [] : [{ name, outcome }]
    })
  const isAnyCounted = [...byItem.keys()].some((key) => checkedOf(key).length > MAX_NAMED)
  const names = composer.inline([...targets.values()].toSorted().join(', '), place)
  const count = (outcome: Outcome) => words.number(checks.filter((check) => check.outcome === outcome).length)
  return [
    ...tableOf(
      context,
      methodology.version === '' ? methodology.name : `${methodology.name} ${methodology.version}`,
      [{ title: labels.outcome }, { title: labels.count, align: 'right' }],
      OUTCOMES.map((outcome) => [labels[LABELS[outcome]], count(outcome)]),
    ),
    ...(isAnyCounted ? [{ type: 'paragraph' as const, content: [...bold(`${labels.assets}: `), ...names] }] : []),
    ...tableOf(
      context,
      labels.testsOf.replace('{name}', () => methodology.name),
      [{ title: labels.number }, { title: labels.item }, { title: labels.asset }, { title: labels.outcome }],
      methodology.items
        .filter(({ key }) => byItem.has(key))
        .map((item) => {
          const outcome = togetherOf((byItem.get(item.key) ?? []).map((check) => check.outcome))
          return [item.key, item.title, assetsOf(context, checkedOf(item.key)), labels[outcome]]
        }),
    ),
  ]
}
