/** What decides whether a library entry describes a result. */
export interface MatchableEntry {
  id: string
  key: string
  isOwn: boolean
  rules: readonly { tool: string; ruleId: string }[]
  cwe: readonly string[]
}

/** What a result says about itself. */
export interface MatchedResult {
  tools: readonly string[]
  ruleId: string | null
  cwe: readonly string[]
}

export interface EntryMatch<E> {
  entry: E
  by: 'rule' | 'cwe'
}

interface Prefix<E> {
  prefix: string
  entry: E
}

/** Own entries come before built-in ones, then the order of keys decides. */
const inOrder = <E extends MatchableEntry>(entries: readonly E[]): E[] =>
  entries.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))

/**
 * Prepares the choice of the entry that describes a result: an exact rule before one that ends in `*`, a longer
 * beginning first, own entries before built-in ones; without a rule the CWE, if exactly one own or else one built-in
 * entry names it first.
 *
 * @param entries approved ones only
 */
export const matchEntries = <E extends MatchableEntry>(
  entries: readonly E[],
): ((result: MatchedResult) => EntryMatch<E> | undefined) => {
  const sorted = inOrder(entries)
  const exact = new Map<string, E>()
  const prefixes = new Map<string, Prefix<E>[]>()
  for (const entry of sorted) {
    for (const { tool, ruleId } of entry.rules) {
      if (ruleId.endsWith('*'))
        prefixes.set(tool, [...(prefixes.get(tool) ?? []), { prefix: ruleId.slice(0, -1), entry }])
      else if (!exact.has(ruleKey(tool, ruleId))) exact.set(ruleKey(tool, ruleId), entry)
    }
  }
  // Sorting is stable: of beginnings with the same length, own entries stay first.
  for (const [tool, some] of prefixes)
    prefixes.set(
      tool,
      some.toSorted((a, b) => b.prefix.length - a.prefix.length),
    )
  const byCwe = [true, false].map((isOwn) => firstOfCwe(sorted.filter((entry) => entry.isOwn === isOwn)))
  return ({ tools, ruleId, cwe }) => {
    if (ruleId !== null) {
      for (const tool of tools) {
        const entry = exact.get(ruleKey(tool, ruleId))
        if (entry) return { entry, by: 'rule' }
      }
      const [longest] = tools
        .flatMap((tool) => prefixes.get(tool)?.find(({ prefix }) => ruleId.startsWith(prefix)) ?? [])
        .toSorted((a, b) => b.prefix.length - a.prefix.length)
      if (longest) return { entry: longest.entry, by: 'rule' }
    }
    for (const named of byCwe) {
      for (const id of cwe) {
        const entry = named.get(id)
        if (entry) return { entry, by: 'cwe' }
      }
    }
    return undefined
  }
}

const ruleKey = (tool: string, ruleId: string) => `${tool}\n${ruleId}`

/** Entries by their first CWE, without those that several entries name: choosing one of them would be a guess. */
const firstOfCwe = <E extends MatchableEntry>(entries: readonly E[]): Map<string, E> => {
  const found = new Map<string, E[]>()
  for (const entry of entries) {
    const [first] = entry.cwe
    if (first !== undefined) found.set(first, [...(found.get(first) ?? []), entry])
  }
  return new Map([...found].flatMap(([id, some]) => (some.length === 1 ? [[id, some[0] as E] as const] : [])))
}
