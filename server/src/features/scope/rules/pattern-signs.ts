import { type Refusal, refuse } from './host.ts'
import { WITH_SCHEME } from './recognise.ts'

/** A path with this ending means the path itself and everything below it. */
const EVERYTHING_BELOW = /\/(?:\*{1,2}|\.{3}|…)$/

/** Pattern signs, and how messages write them. A rule compares literally. */
const SIGNS: readonly (readonly [sign: RegExp, written: string])[] = [
  [/\*/, '*'],
  [/\?/, '?'],
  [/[{}]/, '{...}'],
  [/[[\]]/, '[...]'],
  [/\|/, '|'],
  [/[<>]/, '<...>'],
  [/\^/, '^'],
  [/\$$/, '$'],
  [/\.\+/, '.+'],
  [/\.{3}|…/, '...'],
  [/\/:[A-Za-z_]/, ':name'],
]

/** The URL without a final `/*`, `/**` or `/...`: a rule covers everything below its path anyway. */
export const withoutEverythingBelow = (url: string): string => url.replace(EVERYTHING_BELOW, '/')

const ESCAPED_SIGN = /%(?:2A|3C|3E|3F|5B|5D|5E|7B|7C|7D)/gi

/** The first pattern sign after the host of a URL, and its index. An escaped sign counts as the sign. */
const signIn = (path: string): { sign: string; at: number } | undefined => {
  // Pads each escape to its length, so that indexes stay the same.
  const plain = path.replace(ESCAPED_SIGN, (escaped) => `${decodeURIComponent(escaped)}  `)
  const found = SIGNS.map(([expression, sign]) => ({ sign, at: plain.search(expression) })).filter(({ at }) => at >= 0)
  return found.toSorted((a, b) => a.at - b.at)[0]
}

/** @param path everything after the host of a URL @returns why a rule with this path could never match */
export const refusePathSigns = (start: string, path: string): Refusal | undefined => {
  const found = signIn(path)
  if (!found) return undefined
  const up = `${start}${fixedPart(path, found.at)}`
  return refuse(
    `a rule for a URL does not support ${found.sign}; it covers its path and everything below: write ${up}, or a rule for each path`,
  )
}

/** The path up to the last `/` before a sign. */
const fixedPart = (path: string, at: number): string => path.slice(0, Math.max(0, path.lastIndexOf('/', at)))

/**
 * The certain part of a stored pattern that would be refused today: the URL up to its first pattern sign, or the
 * network that it means. Undefined for a pattern without signs.
 */
export const certainPart = (pattern: string): string | undefined => {
  const [start] = WITH_SCHEME.exec(pattern) ?? []
  if (start === undefined) return networkOfStars(pattern)
  const path = withoutEverythingBelow(pattern.slice(start.length))
  const found = signIn(path)
  return found && `${start}${fixedPart(path, found.at)}`
}

const NETWORK_OF_STARS = /^(\d{1,3}(?:\.\d{1,3}){0,2})((?:\.[*x]){1,3})$/i

/** `192.0.2.*`, as a network; undefined for other texts. */
export const networkOfStars = (text: string): string | undefined => {
  const [, fixed, stars] = NETWORK_OF_STARS.exec(text) ?? []
  if (fixed === undefined || stars === undefined || fixed.split('.').length + stars.length / 2 !== 4) return undefined
  return `${fixed}${'.0'.repeat(stars.length / 2)}/${8 * fixed.split('.').length}`
}
