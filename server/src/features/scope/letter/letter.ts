import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_LINES } from '@sortie/contract/core/lists.ts'
import { type WrittenLine, writtenLines } from '@sortie/contract/core/pasted-lines.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Effect } from '../rules/rule-set.ts'
import { type LineContent, type LinePattern, PLACEHOLDER, patternsOf } from './line-patterns.ts'
import { readProgramList } from './program-lists.ts'
import { effectOfHeading, effectOnLine, folded, type Mention, mentionsIn } from './words.ts'

/** A parsed line of a letter: a rule, or with `pattern` null a line that yields none. */
export interface LetterRule {
  line: number
  /** The line as written, cut at 400 characters. */
  source: string
  /** The line without its comment: `input` in the response to pasted lines. */
  input: string
  /** The effect that the heading above or the words of the line state; null if uncertain. */
  effect: Effect | null
  /** Canonical. */
  pattern: string | null
  /** The explanation, the comment and the heading without an effect, as a note for the rule. */
  note: string
  /** Why the effect or the pattern is null, or the source of the effect. */
  reason: string | null
  /** True if a statement so far may exclude the line: a user must then choose `allow`. */
  isDoubtful: boolean
  /** True if only an explanation or a comment is next to the patterns, and after them. */
  isPlain: boolean
}

/** In UTF-16 units: longer lines are not parsed. */
const MAX_LINE = 1_000
const MAX_SOURCE = 400
const MAX_NOTE = 400
const MAX_HEADING_WORDS = 6
/** In UTF-16 units, for all lines that are more than a pattern: matching words in them takes time. */
const MAX_PROSE = 262_144
/** Lines parsed per batch, so that other requests run in between. */
const LINE_BATCH_SIZE = 10

const MARK =
  /^(?:>\s*|[-*+•·–—▪◦‣]\s+|\[[ xX]?\]\s+|\(?\d{1,3}(?:\.\d{1,3}){0,2}[.)]\s+|\d{1,2}(?:\.\d{1,2}){0,2}\s+(?=\p{L})|\(?(?:[a-z]|[ivx]{1,4})[.)]\s+)/iu
const MARKS_IN_A_ROW = 4

interface Section {
  effect: Effect | null
  why: string | null
  isDoubtful: boolean
  /** Number of `#` of its heading. */
  depth: number
  /** The heading above without an effect, such as "DMZ Frankfurt". */
  note: string
}

const NO_SECTION: Section = {
  effect: null,
  why: 'no heading says whether this is in scope',
  isDoubtful: false,
  depth: 0,
  note: '',
}

/**
 * Parses a letter about scope, or the list of a bug bounty program: headings and words give the effect of each line,
 * strictly. A line becomes `allow` only if a heading or a label states it and nothing between that and the line, nor a
 * word on the line, may exclude it (D1). Headings are not rules. Other requests run in between.
 *
 * @throws ApiError VALIDATION_ERROR for more than 10,000 rules, and for more prose than a letter has
 */
export const readLetter = async (text: string): Promise<LetterRule[]> => {
  const listed = readProgramList(text)
  if (listed) return withConflicts(listed)
  const rules: LetterRule[] = []
  let section = NO_SECTION
  let [lines, prose, questioned] = [0, 0, 0]
  for (const written of writtenLines(text)) {
    if (++lines % LINE_BATCH_SIZE === 0) await nextTurn()
    const read = readLine(written, section)
    section = read.section
    prose += read.isAlone ? 0 : written.input.length + written.comment.length
    if (prose > MAX_PROSE)
      throw invalid(`text: must have at most ${MAX_PROSE} characters in lines that are more than a pattern`)
    if (rules.length + read.rules.length > MAX_LINES) throw invalid(`text: must have at most ${MAX_LINES} lines`)
    if (read.isAboutAbove) {
      for (const rule of rules.slice(questioned)) question(rule, written.line)
      questioned = rules.length
    }
    rules.push(...read.rules)
  }
  return withConflicts(rules)
}

interface ReadLine {
  rules: LetterRule[]
  section: Section
  /** True if the line is one pattern and nothing else. */
  isAlone?: boolean
  /** True if the line may exclude lines above it: "the last two are out of scope". */
  isAboutAbove?: boolean
}

/** Matches text in the form of `folded`. */
const ABOVE =
  /\b(?:above|previous|preceding|aforementioned|last|former|oben|obig\w*|vorstehend\w*|vorgenannt\w*|letzte\w*|ci dessus|precedent\w*|dernier\w*)\b/

const question = (rule: LetterRule, line: number): void => {
  if (rule.effect !== 'allow') return
  rule.effect = null
  rule.isDoubtful = true
  rule.reason = `line ${line} says something about the lines above it`
}

const readLine = (written: WrittenLine, section: Section): ReadLine => {
  const read = readLineAfter(written, section)
  if (read.isAlone) return read
  const text = folded(`${written.input} ${written.comment}`.slice(0, MAX_LINE))
  return { ...read, isAboutAbove: ABOVE.test(text) && mentionsIn(text).some(({ signal }) => signal !== 'allow') }
}

const readLineAfter = (written: WrittenLine, section: Section): ReadLine => {
  const { line, input, comment, depth } = written
  if (input === '') return { rules: [], section: readComment(comment, line, depth, section) }
  const base = { line, input, source: cut([input, comment].filter(Boolean).join(' # '), MAX_SOURCE) }
  if (input.length + comment.length > MAX_LINE) {
    const reason = `a line has at most ${MAX_LINE} characters`
    const rule = {
      ...base,
      effect: section.effect,
      pattern: null,
      note: '',
      reason,
      isDoubtful: section.isDoubtful,
      isPlain: false,
    }
    return { rules: [rule], section: unsure(section, line) }
  }
  const content = patternsOf(withoutMarks(input.replaceAll(PLACEHOLDER, ' ')))
  if (content.prose === PLACEHOLDER && comment === '')
    return { ...readPatterns(base, content, '', { mentions: [], prose: PLACEHOLDER }, section, false), isAlone: true }
  const isPattern = content.patterns.length > 0
  const prose = folded(content.prose)
  const mentions = mentionsIn(folded(`${content.prose} # ${comment}`))
  const signals = mentions.some(({ signal }) => signal !== 'doubt')
  const isTitle = endsAsHeading(content.prose)
  const isHeading = isTitle || (!isPattern && isShort(content.prose))
  if (mentions.length > 0 && (isTitle || (isHeading && signals)) && (!isPattern || content.isBareWord))
    return { rules: [], section: headed(mentions, line, base.source, 0, section) }
  if (!isPattern) return readText(base, content, comment, mentions, section)
  return readPatterns(base, content, comment, { mentions, prose }, section, isHeading)
}

type Base = Pick<LetterRule, 'line' | 'input' | 'source'>

/**
 * A comment on its own line is a heading. Without an effect it names what follows, and keeps the effect of the heading
 * above it.
 */
const readComment = (comment: string, line: number, depth: number, section: Section): Section => {
  if (comment.length > MAX_LINE) return unsure(section, line)
  const content = patternsOf(comment)
  const mentions = mentionsIn(folded(content.prose))
  if (mentions.length > 0) return headed(mentions, line, comment, depth, section)
  const note = content.patterns.length > 0 && !content.isBareWord ? section.note : cut(comment, MAX_NOTE / 2)
  return depth > section.depth ? { ...section, note } : { ...unsure(section, line), note }
}

const headed = (
  mentions: readonly Mention[],
  line: number,
  heading: string,
  depth: number,
  section: Section,
): Section => {
  const effect = effectOfHeading(mentions, section.effect)
  const quoted = `“${cut(heading.replace(/^[\s*_=~[\]-]+|[\s*_=~[\]-]+$/g, ''), 80)}” (line ${line})`
  if (effect !== null) return { effect, why: `below ${quoted}`, isDoubtful: false, depth, note: '' }
  const isOnlyDoubt = mentions.every(({ signal }) => signal === 'doubt')
  if (isOnlyDoubt && section.effect !== 'allow' && section.effect !== null) return section
  return { effect: null, why: `${quoted} is not clear about the lines below it`, isDoubtful: true, depth, note: '' }
}

/** A line without a pattern that is not a heading. Below "In scope" it makes the lines that follow uncertain. */
const readText = (
  base: Base,
  { rest, prose }: LineContent,
  comment: string,
  mentions: readonly Mention[],
  section: Section,
): ReadLine => {
  const note = noteOf(section, rest, comment)
  const effect = section.effect === 'allow' && mentions.some(({ signal }) => signal !== 'allow') ? null : section.effect
  const rule = {
    ...base,
    effect,
    pattern: null,
    note,
    reason: 'this line contains no pattern',
    isDoubtful: section.isDoubtful,
    isPlain: false,
  }
  const has = (signal: Mention['signal']) => mentions.some((mention) => mention.signal === signal)
  const isTurned = section.effect === 'deny' ? has('allow') || has('except') : mentions.length > 0
  if (isTurned)
    return { rules: [rule], section: { ...unsure({ ...section, effect: 'allow' }, base.line), note: section.note } }
  const next = unsure(section, base.line)
  if (!endsAsHeading(prose)) return { rules: [rule], section: next }
  return { rules: [], section: { ...next, note: cut(prose.trim().replace(/[\s:：*_=~]+$/, ''), MAX_NOTE / 2) } }
}

interface Words {
  mentions: readonly Mention[]
  prose: string
}

const readPatterns = (
  base: Base,
  content: LineContent,
  comment: string,
  { mentions, prose }: Words,
  section: Section,
  isHeading: boolean,
): ReadLine => {
  const first = prose.indexOf(PLACEHOLDER)
  const lead = first < 0 ? '' : prose.slice(0, first).trimEnd()
  const label = mentions.filter(({ at, signal }) => at < first && signal !== 'doubt')
  const beginsWithWords = label[0] !== undefined && /^[^\p{L}]*$/u.test(prose.slice(0, label[0].at))
  const isLabelled = beginsWithWords && lead.endsWith(':')
  const places = placesIn(prose)
  const effectOf = ({ place }: LinePattern): Effect | null => {
    if (isHeading && mentions.length > 0) return section.effect === 'deny' ? 'deny' : null
    if (content.hasExcludingMark && section.effect !== 'deny') return null
    if (content.isBareWord && section.effect === 'allow') return null
    const effect = effectOnLine(mentions, places[place] ?? prose.length, section.effect, isLabelled)
    return effect === 'allow' && content.namesPort ? null : effect
  }
  const isStated = mentions.length > 0 || content.hasExcludingMark || content.namesPort
  const note = noteOf(section, isLabelled && isLabelAlone(prose, first) ? '' : content.rest, comment)
  const rules = content.patterns.map((found): LetterRule => {
    const effect = effectOf(found)
    const isDoubtful = effect === null && (isStated || section.isDoubtful || section.effect !== null)
    const why =
      isStated && effect !== section.effect ? whyOnLine(base.line, effect, content.hasExcludingMark) : section.why
    return {
      ...base,
      effect,
      pattern: found.pattern,
      note,
      reason: found.reason ?? why,
      isDoubtful,
      isPlain: !content.hasWordsBefore,
    }
  })
  return {
    rules,
    section: sectionAfter(base, label, { isLabelled, beginsWithWords, isHeading, mentions }, content, section),
  }
}

const whyOnLine = (line: number, effect: Effect | null, hasMark: boolean): string => {
  if (effect === null)
    return hasMark
      ? `a mark next to the pattern of line ${line} may exclude it`
      : `the words of line ${line} leave its effect open`
  return effect === 'deny' ? 'the words of this line exclude it' : 'the words of this line say so'
}

interface LineShape {
  isLabelled: boolean
  beginsWithWords: boolean
  isHeading: boolean
  mentions: readonly Mention[]
}

/** An exclusion label continues below its line ("Out of scope: a, / b"); any other one makes what follows uncertain. */
const sectionAfter = (
  base: Base,
  label: readonly Mention[],
  shape: LineShape,
  { isBareWord }: LineContent,
  section: Section,
): Section => {
  if (shape.isHeading && shape.mentions.length > 0) return headed(shape.mentions, base.line, base.source, 0, section)
  if (isBareWord) return unsure(section, base.line)
  if (!shape.beginsWithWords) return section
  const effect = effectOfHeading(label, section.effect)
  if (effect === section.effect && effect !== null) return section
  if (shape.isLabelled && (effect === 'deny' || effect === 'caution'))
    return headed(label, base.line, base.source, 0, section)
  if (section.effect === 'deny' && !shape.isLabelled) return section
  return { ...unsure({ ...section, effect: 'allow' }, base.line), note: section.note }
}

/** After a line that was not understood: ends only `allow`. */
const unsure = (section: Section, line: number): Section =>
  section.effect === 'allow'
    ? {
        effect: null,
        why: `after line ${line} it is not clear where “in scope” continues`,
        isDoubtful: true,
        depth: 0,
        note: '',
      }
    : section

/** If a pattern has several effects, only the strictest stays; a user decides the others. */
const withConflicts = (rules: LetterRule[]): LetterRule[] => {
  const ofPattern = Map.groupBy(rules, ({ pattern }) => pattern)
  const differing = new Map(
    [...ofPattern].map(([pattern, same]) => [pattern, same.filter(({ effect }) => effect !== same[0]?.effect)]),
  )
  return rules.map((rule) => {
    const { pattern, effect } = rule
    const [first, other] = [ofPattern.get(pattern)?.[0], differing.get(pattern)?.[0]]
    if (pattern === null || !first || !other || effect === 'deny' || effect === null) return rule
    const { line } = effect === first.effect ? other : first
    return {
      ...rule,
      effect: null,
      isDoubtful: true,
      reason: `line ${line} says something else about the same pattern`,
    }
  })
}

const withoutMarks = (input: string): string => {
  let text = input
  for (let taken = 0; taken < MARKS_IN_A_ROW && MARK.test(text); taken++) text = text.replace(MARK, '')
  return text
}

const endsAsHeading = (prose: string): boolean => /[:：][\s*_=~\])-]*$/.test(prose)

const isShort = (prose: string): boolean =>
  (prose.match(/[\p{L}\d]+/gu)?.length ?? 0) <= MAX_HEADING_WORDS || /^[*_=~[]{1,3}.*[*_=~\]]{1,3}$/.test(prose)

const placesIn = (prose: string): number[] => {
  const places: number[] = []
  for (let at = prose.indexOf(PLACEHOLDER); at >= 0; at = prose.indexOf(PLACEHOLDER, at + 1)) places.push(at)
  return places
}

/** True if only the label is next to the patterns. */
const isLabelAlone = (prose: string, first: number): boolean =>
  /^[^\p{L}]*(?:and|und|et|[^\p{L}])*$/u.test(prose.slice(first))

const noteOf = ({ note }: Section, rest: string, comment: string): string =>
  cut([note, rest, comment].filter(Boolean).join(' · '), MAX_NOTE)

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…`.toWellFormed() : text
