import type { Severity } from '@sortie/contract/core/values.ts'

/** Severities that a report's filter includes; undefined: it may exclude any finding. */
export type Shown = readonly Severity[] | 'all' | undefined

/**
 * Filter terms that hide no finding, or whose effect is visible in the report: a page has fewer results than its count.
 */
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
/** By default, reports exclude findings with a lower quality of detection, so no such finding is known. */
const USUAL_QUALITY = 70

/** The letters of `levels`; other letters are not findings. */
const OF_LEVEL: Readonly<Record<string, readonly Severity[]>> = {
  c: ['critical'],
  h: ['critical', 'high'],
  m: ['medium'],
  l: ['low'],
  g: ['info'],
}
const ALL = 'hmlg'

/** @param filter in Greenbone's notation: `apply_overrides=1 levels=hml min_qod=70 rows=-1` */
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

/** Returns the severities that both filters include. */
export const shownByBoth = (one: Shown, other: Shown): Shown => {
  if (one === undefined || other === undefined) return undefined
  if (one === 'all') return other
  return other === 'all' ? one : one.filter((severity) => other.includes(severity))
}
