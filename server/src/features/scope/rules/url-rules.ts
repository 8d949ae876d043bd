import type { ScopeRule } from './rule-set.ts'

/** The rules for URLs of one origin. */
export interface UrlRules {
  /** By path in the form of `comparablePath`: used for `allow`. */
  exact: PathIndex
  /** By path as the most lenient server reads it: also used for `deny` and `caution`. */
  lenient: PathIndex
}

interface PathIndex {
  byPath: ReadonlyMap<string, ScopeRule>
  /** Lengths of the paths, longest first. */
  lengths: readonly number[]
}

interface PathRule {
  rule: ScopeRule
  path: string
}

/** @param rules those of one path are sorted: the first decides */
export const compileUrlRules = (rules: readonly PathRule[]): UrlRules => ({
  exact: indexOf(rules),
  lenient: indexOf(rules.map(({ rule, path }) => ({ rule, path: readingsOf(path).at(-1) as string }))),
})

const indexOf = (rules: readonly PathRule[]): PathIndex => {
  const byPath = new Map<string, ScopeRule>()
  for (const { rule, path } of rules) if (!byPath.has(path)) byPath.set(path, rule)
  return { byPath, lengths: [...new Set([...byPath.keys()].map(({ length }) => length))].toSorted((a, b) => b - a) }
}

/** The rule of the longest path that the path equals, or continues at a `/`. */
export const exactRule = ({ exact }: UrlRules, path: string): ScopeRule | undefined => longest(exact, path)

/**
 * The rules that may apply to a path that servers read in different ways (finding T18). A `deny` among them decides,
 * whatever the literal path is; an `allow` among them is ignored.
 */
export const lenientRules = ({ lenient }: UrlRules, path: string): ScopeRule[] => [
  ...new Set(readingsOf(path).flatMap((reading) => longest(lenient, reading) ?? [])),
]

const longest = ({ byPath, lengths }: PathIndex, path: string): ScopeRule | undefined => {
  const length = lengths.find(
    (each) => each <= path.length && (each === path.length || path[each] === '/') && byPath.has(path.slice(0, each)),
  )
  return length === undefined ? undefined : byPath.get(path.slice(0, length))
}

/**
 * The ways in which servers and the proxies in front of them read a path: not decoded, decoded once, and twice, each
 * before and after `..` is resolved, always with `\` as `/`, without empty segments, parameters (`;v=1`) and case. The
 * last one is the most lenient reading.
 */
const readingsOf = (path: string): string[] => {
  const once = decoded(path)
  return [path, once, decoded(once)].flatMap((text) => {
    const plain = text
      .toLowerCase()
      .replaceAll('\\', '/')
      .replace(/[?#].*$/s, '')
      .replace(/;[^/]*/g, '')
    const segments = plain.split('/').filter((segment) => segment !== '' && segment !== '.')
    return [joined(segments), joined(resolved(segments))]
  })
}

/** Byte by byte: both sides of a comparison are decoded this way, and no sequence is malformed. */
const decoded = (path: string): string =>
  path.includes('%')
    ? path.replace(/%[0-9a-fA-F]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    : path

const resolved = (segments: readonly string[]): string[] => {
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else kept.push(segment)
  }
  return kept
}

const joined = (segments: readonly string[]): string => segments.map((segment) => `/${segment}`).join('')
