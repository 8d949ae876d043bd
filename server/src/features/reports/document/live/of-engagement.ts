import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import { contactsOf, teamOf } from '../people.ts'
import { termsIn } from './glossary.ts'
import type { LiveContext } from './live-context.ts'
import { pairsOf, sentence, tableOf } from './tables.ts'

const EFFECTS = [
  { effect: 'allow', label: 'inScope' },
  { effect: 'caution', label: 'withCaution' },
  { effect: 'deny', label: 'outOfScope' },
] as const

/** What may be tested, with caution, and not; in a letter, which others read, only the names of what was tested. */
export const scope = (context: LiveContext): BlockValue[] => {
  const { source, composer, place } = context
  const { labels } = composer
  if (source.live.scope.length === 0) return [sentence(labels.noScope)]
  if (source.report.kind === 'attestation') {
    const tested = source.live.scope.filter(({ effect }) => effect !== 'deny').map(({ pattern }) => pattern)
    if (tested.length === 0) return [sentence(labels.noScope)]
    return [{ type: 'paragraph', content: composer.inline(tested.toSorted().join(', '), place) }]
  }
  return EFFECTS.flatMap(({ effect, label }) => {
    const rules = source.live.scope
      .filter((rule) => rule.effect === effect)
      .toSorted((a, b) => (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0))
    if (rules.length === 0) return []
    return tableOf(
      context,
      labels[label],
      [{ title: labels.pattern }, { title: labels.note }],
      rules.map(({ pattern, note }) => [pattern, note]),
    )
  })
}

interface Hours {
  timeZone: string
  windows: { days: number[]; from: string; to: string }[]
}

export const testingWindow = (context: LiveContext): BlockValue[] => {
  const { source, composer, words } = context
  const { labels } = composer
  const { frame, live } = source
  const hours = frame.testing_hours as Hours | null
  const windows = (hours?.windows ?? []).map(
    ({ days, from, to }) => `${days.map(words.weekday).join(', ')} ${from}–${to}`,
  )
  return pairsOf(context, labels.period, [
    [labels.firstDay, words.day(frame.starts_on) || labels.notStated],
    [labels.lastDay, words.day(frame.ends_on) || labels.notStated],
    [labels.testingHours, windows.length > 0 ? windows.join('; ') : labels.anyTime],
    [labels.timeZone, hours?.timeZone ?? ''],
    [labels.sourceAddresses, live.sources.join(', ')],
  ])
}

export const inventory = (context: LiveContext): BlockValue[] => {
  const { source, composer, section } = context
  const { labels } = composer
  const isLimited = section.live_options.onlyAffectedTargets ?? source.report.options.onlyAffectedTargets ?? false
  const rows = source.live.services.filter(({ host }) => !isLimited || source.live.affectedHosts.has(host))
  if (rows.length === 0) return [sentence(labels.noInventory)]
  return tableOf(
    context,
    labels.listOfServices,
    [
      { title: labels.host },
      { title: labels.port, align: 'right' },
      { title: labels.protocol },
      { title: labels.service },
    ],
    rows.map(({ host, port, protocol, title }) => [host, port === null ? '' : String(port), protocol ?? '', title]),
  )
}

export const team = (context: LiveContext): BlockValue[] => {
  const { labels } = context.composer
  const people = teamOf(context.source, labels)
  if (people.length === 0) return [sentence(labels.noTeam)]
  return tableOf(
    context,
    labels.listOfTeam,
    [{ title: labels.name }, { title: labels.role }, { title: labels.email }],
    people.map(({ name, role, email }) => [name, role, email]),
  )
}

export const contacts = (context: LiveContext): BlockValue[] => {
  const { labels } = context.composer
  const people = contactsOf(context.source)
  if (people.length === 0) return [sentence(labels.noContacts)]
  return tableOf(
    context,
    labels.listOfContacts,
    [{ title: labels.name }, { title: labels.role }, { title: labels.email }, { title: labels.phone }],
    people.map(({ name, role, email, phone }) => [name, role, email, phone]),
  )
}

export const tools = (context: LiveContext): BlockValue[] => {
  const { labels } = context.composer
  const rows = context.source.live.tools
  if (rows.length === 0) return [sentence(labels.noTools)]
  return tableOf(
    context,
    labels.listOfTools,
    [{ title: labels.tool }, { title: labels.toolVersion }],
    rows.map(({ tool, version }) => [tool, version]),
  )
}

const ACTIVITIES = {
  scan: 'activityScan',
  request: 'activityRequest',
  import: 'activityImport',
  manual: 'activityManual',
  run: 'activityRun',
} as const

export const operations = (context: LiveContext): BlockValue[] => {
  const { composer, source, words } = context
  const { labels } = composer
  const rows = source.live.operations
  if (rows.length === 0) return [sentence(labels.noOperations)]
  return tableOf(
    context,
    labels.listOfActivities,
    [
      { title: labels.start },
      { title: labels.end },
      { title: labels.activity },
      { title: labels.source },
      { title: labels.target },
      { title: labels.by },
    ],
    rows.map((row) => [
      words.moment(row.started_at),
      words.moment(row.ended_at),
      labels[ACTIVITIES[row.kind]],
      row.source ?? '',
      row.target,
      row.actor_name ?? '',
    ]),
  )
}

/** Terms that the report uses. */
export const glossary = (context: LiveContext): BlockValue[] => {
  const { composer, source, findings } = context
  const texts = [
    ...source.sections.map(({ body }) => body),
    ...findings.flatMap((finding) => [
      finding.title,
      finding.summary,
      finding.description,
      finding.impact,
      finding.reproduction,
      finding.recommendation,
    ]),
  ]
  const terms = termsIn(texts, source.report.language)
  if (terms.length === 0) return [sentence(composer.labels.none)]
  return tableOf(
    context,
    composer.labels.listOfTerms,
    [{ title: composer.labels.term }, { title: composer.labels.meaning }],
    terms.map(({ term, meaning }) => [term, meaning]),
  )
}
