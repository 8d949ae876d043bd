import { asMeant } from '@sortie/contract/core/pasted-lines.ts'
import { isRefusal } from '../rules/host.ts'
import { recognisePattern } from '../rules/pattern.ts'

/** A word of a line that is a pattern, or looks like one and is invalid. */
export interface LinePattern {
  /** Canonical; null if invalid. */
  pattern: string | null
  /** Why it is invalid, or null. */
  reason: string | null
  /** Index of its placeholder in `prose`, from 0. */
  place: number
}

export interface LineContent {
  patterns: LinePattern[]
  /** The line with `PLACEHOLDER` in place of each pattern. */
  prose: string
  /** The words next to the patterns, for the note: empty for a line of only patterns. */
  rest: string
  /** True if words precede the last pattern. */
  hasWordsBefore: boolean
  /**
   * A mark that excludes in other programs (`!10.0.0.5`, `-10.0.0.5`), or that refers to a footnote
   * (`vpn.example.com*`).
   */
  hasExcludingMark: boolean
  /** A single word that may or may not name a host: `intranet`, `Contacts`. */
  isBareWord: boolean
  /** True if words name a port ("port 8443") and no pattern has one: the patterns may be meant at that port only. */
  namesPort: boolean
}

/** A control character, because no written line contains it. */
export const PLACEHOLDER = '\u0001'

const IPV4 = '\\d{1,3}(?:\\.\\d{1,3}){3}'
const IPV6 = '[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}'
const RANGES = [IPV4, IPV6].map(
  (address) =>
    new RegExp(`(?<![\\w.:])(${address})\\s+(?:[-–—]|to|bis|until|through|à)\\s+(${address})(?![\\w.:])`, 'gi'),
)
const SPACED_PREFIX = new RegExp(`(?<![\\w.])(${IPV4})\\s{0,3}/\\s{0,3}(\\d{1,2})(?![\\w.])`, 'g')
/** `Excluded:vpn.example.com`: the blank after the colon is missing. */
const GLUED_LABEL = /(?<=\p{L}{2}):(?=\p{L}|\*\.|\d{1,3}\.\d)/gu
const WORDS = new RegExp(`${IPV4}\\s+255(?:\\.\\d{1,3}){3}|[^\\s,;|]+`, 'g')
/** Looks like a pattern: has a sign of one, or is a name with a port or a path. */
const PATTERN_LIKE =
  /\*|:\/\/|\d\.\d|^\.\d|[\p{L}\d]\.[\p{L}\d-]{2,}[:/]|\[[0-9a-f:]+\]|^[0-9a-f]{0,4}::?[0-9a-f]{1,4}:/iu
/** `10.0.0.1, 2, 3`: numbers that abbreviate addresses. */
const SHORT_ADDRESS = /(?<=\d),\s?\d{1,3}(?=,|\s*$|\s+(?:and|und|et)\b)/
/** `example.com:443, 8443`, `example.com:443 and 8443`: ports that abbreviate `host:port`. Matches prose. */
const FURTHER_PORT = /(?<![\w.:])\d{1,5}(?:\/(?:tcp|udp))?(?![\w.])/i
const PORT_WORD = /\b(?:ports?|tcp|udp)\b/i
const SUBDOMAINS = /\bsub ?-?domains?\b|\bunter-?domains?\b|\bsous-domaines?\b/i
const EXCLUDING_MARK = /^[-!^~−–—]+(?=[\w*[])/
const FOOTNOTE = /[†‡§¹²³⁰-⁹]$|(?<=[\p{L}\d])\*+$/u
/** Not the bracket of an IPv6 address with a port. */
const OPENING = /^(?:["'`“”„«»‘’({<+]|\[(?![0-9a-fA-F:.]+\]:\d)|[*_]{2,}(?!\.)|[*_](?=[\w[]))+/
const CLOSING = /[.,;:!?)\]}>"'`“”»«‘’*_~†‡§¹²³⁰-⁹]+$/
/** `and`, and signs without a meaning. */
const NO_WORDS = /^(?:and|und|et|or|oder|ou|&|[\p{P}\p{S}\s])*$/iu

/** Finds the patterns of a line. @param content without list marks and without the comment */
export const patternsOf = (content: string): LineContent => {
  const whole = asMeant(content)
  const meant = recognisePattern(whole)
  const isBareWord = !isRefusal(meant) && /^[\p{L}\d_-]+(?::\d+(?:\/\w+)?)?$/u.test(whole)
  if (!isRefusal(meant) && !EXCLUDING_MARK.test(content) && !FOOTNOTE.test(content)) {
    const patterns = [{ pattern: meant.canonical, reason: null, place: 0 }]
    return {
      patterns,
      prose: isBareWord ? content : PLACEHOLDER,
      rest: '',
      hasWordsBefore: false,
      hasExcludingMark: false,
      isBareWord,
      namesPort: false,
    }
  }
  return patternsAmongWords(content)
}

const patternsAmongWords = (content: string): LineContent => {
  const text = joined(content)
  const patterns: LinePattern[] = []
  let prose = ''
  let next = 0
  let [hasExcludingMark, hasService] = [false, false]
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const found = patternOf(word)
    if (!found) continue
    prose += text.slice(next, index) + found.before + PLACEHOLDER + found.after
    patterns.push({ pattern: found.pattern, reason: found.reason, place: patterns.length })
    next = index + word.length
    hasExcludingMark ||= found.isMarked
    hasService ||= found.isService
  }
  prose += text.slice(next)
  if (patterns.length > 0 && !hasService && SHORT_ADDRESS.test(text)) {
    patterns.push({
      pattern: null,
      reason: 'write each address in full, as in 10.0.0.1, 10.0.0.2',
      place: patterns.length - 1,
    })
  }
  if (hasService && FURTHER_PORT.test(prose)) {
    patterns.push({
      pattern: null,
      reason: 'write each port with its host, as in example.com:443, example.com:8443',
      place: patterns.length - 1,
    })
  }
  if (SUBDOMAINS.test(prose)) patterns.push(...wildcardsOf(patterns))
  const hasWordsBefore = !NO_WORDS.test(
    prose.slice(0, Math.max(0, prose.lastIndexOf(PLACEHOLDER))).replaceAll(PLACEHOLDER, ' '),
  )
  return {
    patterns,
    prose,
    rest: restOf(prose, text, hasWordsBefore),
    hasWordsBefore,
    hasExcludingMark,
    isBareWord: false,
    namesPort: !hasService && PORT_WORD.test(prose),
  }
}

const joined = (content: string): string =>
  RANGES.reduce((text, range) => text.replace(range, '$1-$2'), content)
    .replace(SPACED_PREFIX, '$1/$2')
    .replace(GLUED_LABEL, (colon: string, at: number, text: string) =>
      /^[0-9a-f:]+$/i.test(text.slice(Math.max(0, at - 5), at).trimStart()) ? colon : ': ',
    )

const patternOf = (word: string) => {
  const opening = OPENING.exec(word)?.[0] ?? ''
  const mark = EXCLUDING_MARK.exec(word.slice(opening.length))?.[0] ?? ''
  const rest = word.slice(opening.length + mark.length)
  const closing = CLOSING.exec(rest)?.[0] ?? ''
  const isFootnote = FOOTNOTE.test(rest.replace(/[.,;:!?)\]}>"'`]+$/, '')) && !/[*_]/.test(opening)
  const [before, isMarked] = [opening + mark, mark !== '' || isFootnote]
  for (const [text, after] of [
    [rest.slice(0, rest.length - closing.length), closing],
    [rest, ''],
    [word.slice(opening.length), ''],
  ] as const) {
    const found = recognisePattern(asMeant(text))
    if (!isRefusal(found) && isCertain(found.kind, found.canonical))
      return {
        pattern: found.canonical,
        reason: null,
        before,
        after,
        isMarked,
        isService: found.kind === 'service',
      }
  }
  const found = recognisePattern(asMeant(rest.slice(0, rest.length - closing.length)))
  return isRefusal(found) && PATTERN_LIKE.test(rest)
    ? { pattern: null, reason: found.refused, before, after: '', isMarked, isService: false }
    : undefined
}

/** Among words, a name has a dot and a last part of at least two letters, unlike `e.g.`, `admin` and `Stage:2`. */
const isCertain = (kind: string, canonical: string): boolean => {
  if (kind !== 'domain' && kind !== 'service') return true
  const name = kind === 'service' ? canonical.slice(0, canonical.lastIndexOf(':')) : canonical
  return /\.(?:xn--|[a-z]{2})[^.]*$/.test(name) || (kind === 'service' && /^(?:[\d.]+|\[.*\])$/.test(name))
}

/** "example.com and all subdomains" means both. */
const wildcardsOf = (patterns: readonly LinePattern[]): LinePattern[] =>
  patterns.flatMap(({ pattern, place }) => {
    const found = pattern === null ? undefined : recognisePattern(`*.${pattern}`)
    return found && !isRefusal(found) ? [{ pattern: found.canonical, reason: null, place }] : []
  })

const restOf = (prose: string, text: string, hasWordsBefore: boolean): string => {
  if (NO_WORDS.test(prose.replaceAll(PLACEHOLDER, ' '))) return ''
  const last = prose.lastIndexOf(PLACEHOLDER)
  const tail = prose.slice(last + 1).replace(/^[\s\-–—:,;.)\]"'|]+/, '')
  const words = hasWordsBefore ? text : tail
  return /^\([^()]*\)[.,;]?$/.test(words) ? words.replace(/^\(|\)[.,;]?$/g, '') : words.replace(/[\s,;|]+$/, '')
}
