import type { Severity } from '../../results/severities.ts'

/** What a report's filter lets through; undefined: it may leave out any finding. */
export type Shown = readonly Severity[] | 'all' | undefined

/** They leave out no finding, or the report shows otherwise that they do: a page has fewer results than are counted. */
const HARMLESS = new Set([
  'apply_overrides',
  'autofp',
  'delta_states',
  'details',
  'first',
  'notes',
  'overrides',
  'result_hosts_only',
  'rows',
  'sort',
  'sort-reverse',
  'timezone',
])
/** Below this quality of detection scanners' findings are left out by default, so that none of them is known. */
const USUAL_QUALITY = 70

/** The letters of `levels`; others stand for what is no finding. */
const OF_LEVEL: Readonly<Record<string, readonly Severity[]>> = { c: ['critical'], h: ['critical', 'high'], m: ['medium'], l: ['low'], g: ['info'] }
const ALL = 'hmlg'

/** @param filter as Greenbone writes it: `apply_overrides=1 levels=hml min_qod=70 rows=-1` */
export const shownBy = (filter: string): Shown => {
  let levels = ALL
  for (const term of filter.split(/\s+/).filter(Boolean)) {
    const [, name, value] = /^([\w-]+)=(.*)$/.exec(term) ?? []
    if (name === undefined || value === undefined) return undefined
    if (name === 'levels') levels = value
    else if (name === 'min_qod' ? Number(value) > USUAL_QUALITY : !HARMLESS.has(name) && value !== '') return undefined
  }
  if ([...ALL].every((letter) => levels.includes(letter))) return 'all'
  return [...new Set([...levels].flatMap((letter) => OF_LEVEL[letter] ?? []))]
}

/** What both of two filters let through. */
export const shownByBoth = (one: Shown, other: Shown): Shown => {
  if (one === undefined || other === undefined) return undefined
  if (one === 'all') return other
  return other === 'all' ? one : one.filter((severity) => other.includes(severity))
}
