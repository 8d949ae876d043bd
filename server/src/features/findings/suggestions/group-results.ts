import { createHash } from 'node:crypto'
import { SEVERITIES } from '@sortie/contract/core/values.ts'
import type { FindingSuggestion } from '@sortie/contract/findings/suggestions.ts'
import type { Static } from 'typebox'
import { type MatchableEntry, matchEntries } from '../../library/entries/match-entries.ts'
import type { ResultGroupRow } from './suggestions.queries.ts'

/** Values of one filter. */
export const MAX_FILTER_VALUES = 100

export interface SuggestedEntry extends MatchableEntry {
  title: string
}

type Suggestion = Omit<Static<typeof FindingSuggestion>, 'dismissed'>

interface Group {
  key: string
  title: string
  libraryEntryId: string | null
  reason: Suggestion['reason']
  rows: ResultGroupRow[]
}

/**
 * Joins rows that one library entry describes, and makes of each group one suggestion or more whose filter names
 * exactly its results. Keys stay the same while results come and go.
 */
export const groupResults = (
  engagementId: string,
  rows: readonly ResultGroupRow[],
  entries: readonly SuggestedEntry[],
): Suggestion[] => {
  const match = matchEntries(entries)
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const group = groupOf(row, match)
    const known = groups.get(group.key)
    if (known) known.rows.push(row)
    else groups.set(group.key, group)
  }
  const owners = ownersOf([...groups.values()])
  return [...groups.values()]
    .flatMap((group) => partsOf(group, owners).map((part, index) => toSuggestion(engagementId, group, part, index)))
    .toSorted((a, b) => weightOf(b) - weightOf(a) || b.count - a.count || (a.key < b.key ? -1 : 1))
}

const weightOf = ({ severity }: Suggestion): number => SEVERITIES.indexOf(severity)

const groupOf = (row: ResultGroupRow, match: ReturnType<typeof matchEntries<SuggestedEntry>>): Group => {
  const { tools, rule_id: ruleId, cwe, title, ids } = row
  if (tools.length === 0)
    return { key: `result/${ids?.[0] ?? ''}`, title, libraryEntryId: null, reason: 'manual', rows: [row] }
  const found = match({ tools, ruleId, cwe })
  if (found) {
    const { id, title: entryTitle } = found.entry
    return {
      key: `entry/${id}`,
      title: entryTitle,
      libraryEntryId: id,
      reason: found.by === 'rule' ? 'entry_rule' : 'entry_cwe',
      rows: [row],
    }
  }
  const digest = createHash('sha256')
    .update(JSON.stringify([tools, ruleId ?? title, ruleId === null]))
    .digest('hex')
  return { key: `rule/${digest.slice(0, 32)}`, title, libraryEntryId: null, reason: 'tool_rule', rows: [row] }
}

/** For each rule, the groups and tools that have it: tools number their rules alike. */
const ownersOf = (groups: readonly Group[]): Map<string, { key: string; tools: readonly string[] }[]> => {
  const owners = new Map<string, { key: string; tools: readonly string[] }[]>()
  for (const { key, rows } of groups) {
    for (const { rule_id, tools } of rows)
      if (rule_id !== null) owners.set(rule_id, [...(owners.get(rule_id) ?? []), { key, tools }])
  }
  return owners
}

/** Splits a group into parts that one filter can name without naming results of another group. */
const partsOf = (group: Group, owners: ReturnType<typeof ownersOf>): ResultGroupRow[][] => {
  const withRule = group.rows.filter(({ rule_id }) => rule_id !== null)
  const withoutRule = group.rows.filter(({ rule_id }) => rule_id === null)
  const tools = new Set(withRule.flatMap((row) => row.tools))
  const isShared = withRule.some(({ rule_id }) =>
    (owners.get(rule_id as string) ?? []).some(
      (owner) => owner.key !== group.key && owner.tools.some((tool) => tools.has(tool)),
    ),
  )
  const together = isShared ? [...Map.groupBy(withRule, (row) => row.tools.join('\n')).values()] : [withRule]
  return [
    ...together.flatMap((rows) => chunksOf(rows, () => 1)),
    ...chunksOf(withoutRule, ({ ids }) => ids?.length ?? 0),
  ].filter((part) => part.length > 0)
}

/** Fills parts up to the number of values that a filter takes. */
const chunksOf = (rows: readonly ResultGroupRow[], sizeOf: (row: ResultGroupRow) => number): ResultGroupRow[][] => {
  const parts: ResultGroupRow[][] = [[]]
  let size = 0
  for (const row of rows) {
    if (size > 0 && size + sizeOf(row) > MAX_FILTER_VALUES) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(row)
    size += sizeOf(row)
  }
  return parts
}

const toSuggestion = (
  engagementId: string,
  { key, title, libraryEntryId, reason }: Group,
  rows: readonly ResultGroupRow[],
  index: number,
): Suggestion => {
  const tools = [...new Set(rows.flatMap((row) => row.tools))].toSorted()
  const rules = [...new Set(rows.flatMap(({ rule_id }) => rule_id ?? []))]
  const ids = rows.flatMap((row) => row.ids ?? [])
  return {
    key: index === 0 ? key : `${key}/${index + 1}`,
    title,
    severity: SEVERITIES[Math.max(...rows.map(({ severity }) => severity))] as Suggestion['severity'],
    count: rows.reduce((sum, { count }) => sum + count, 0),
    tools,
    resultFilter: {
      engagementId,
      kind: ['vulnerability'],
      state: ['present'],
      status: ['open', 'confirmed'],
      findingId: ['none'],
      ...(rules.length > 0 ? { tool: tools, ruleId: rules } : { resultId: ids }),
    },
    libraryEntryId,
    reason,
  }
}
