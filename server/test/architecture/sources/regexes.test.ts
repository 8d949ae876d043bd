import { readFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import { hasDeceptiveCharacters } from '../../../src/platform/text/invisible.ts'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { type FoundRegex, regexesIn, schemaPatterns } from '../../support/document/regexes.ts'

const LENGTH = 100_000
/** Far above linear time on a busy machine, far below quadratic time. */
const LIMIT_MS = 500
const found = ['contract/src', 'client/src', 'cli/src', 'server/src', 'web/src'].map(regexesIn)
const all = [...found.flatMap(({ literals }) => literals), ...schemaPatterns()]
/** The checker does not support the flag `v`. */
const isTimed = ({ flags }: FoundRegex) => flags.includes('v')
/** Without an unbounded quantifier the work at each character is bounded. */
const isUnbounded = ({ pattern }: FoundRegex) => /[*+]|\{\d+,\}/.test(pattern)

/** Only by steps: with time limits an expression would seem slow on a busy machine. */
const COUNTED = { timeout: null, attackTimeout: null, incubationTimeout: null }

let check: typeof import('recheck').checkSync
beforeAll(async () => {
  // Its JavaScript version, rather than one of its programs for some platforms.
  process.env['RECHECK_BACKEND'] = 'pure'
  ;({ checkSync: check } = await import('recheck'))
})

/** Expressions with quadratic time, on texts that are always short. */
const ON_SHORT_TEXTS: Record<string, string> = {
  'server/src/features/auth/passwords/password-rule.ts': 'a password of at most 128 characters, and names',
  'server/src/features/scope/letter/letter.ts': 'a line of a letter, of at most 1,000 characters',
  'server/src/features/scope/letter/line-patterns.ts': 'a line of a letter, of at most 1,000 characters',
  'web/src/features/members/addresses.ts': 'what a user types into a field of their own browser',
}

/** Expressions found to be linear: a commit checks the others, and the night checks all again. */
const LINEAR = 'regexes.linear.txt'

test('I10: no regular expression of the sources or of a schema can take more than linear time', async () => {
  expect(all.length).toBeGreaterThanOrEqual(60)
  const wanted = all.filter((regex) => !isTimed(regex) && isUnbounded(regex) && !(regex.where in ON_SHORT_TEXTS))
  const written = new Map(wanted.map((regex) => [JSON.stringify(`/${regex.pattern}/${regex.flags}`), regex]))
  expect(written.size).toBeGreaterThanOrEqual(20)
  const known = isNightly ? [] : readFileSync(path.join(import.meta.dirname, LINEAR), 'utf8').split('\n')
  const findings = [...written].flatMap(([text, { where, pattern, flags }]) => {
    if (known.includes(text)) return []
    const result = check(pattern, flags, COUNTED)
    return result.status === 'safe' ? [] : [`${where}: ${text} ${JSON.stringify(result).slice(0, 500)}`]
  })
  expect(findings).toEqual([])
  const excusedInVain = Object.keys(ON_SHORT_TEXTS).filter((file) => {
    const ofFile = all.filter((regex) => regex.where === file && !isTimed(regex) && isUnbounded(regex))
    return ofFile.every(({ pattern, flags }) => check(pattern, flags, COUNTED).status === 'safe')
  })
  expect(excusedInVain, 'files in ON_SHORT_TEXTS without an expression that needs it').toEqual([])
  expect(check('^(a+)+$', '').status).toBe('vulnerable')
  // `npx vitest run --project api regexes -u` rewrites it.
  await expect(`${[...written.keys()].toSorted().join('\n')}\n`).toMatchFileSnapshot(LINEAR)
})

/** Texts that make matching start, and restart, at every character. */
const ATTACKS = [
  '\u200d',
  '\u200c',
  '\ufe0f',
  '\u064b',
  '\u06cc\u064b\u200c',
  '\u094d\u200d',
  '\u{1f469}\u200d',
  '\u{1f3f4}\u{e0067}',
  '\u{e0067}',
  '\u202e',
  'a',
  ' ',
]
const pumped = ATTACKS.flatMap((unit) => {
  const text = unit.repeat(LENGTH / unit.length)
  return [text, `\u06cc${text}\u200c`, `\u{1f3f4}${text}`, `a${text}a`]
})

test('I10: those with the flag v take milliseconds for 100,000 characters of the worst', () => {
  const timed = all.filter(isTimed)
  expect(timed.length).toBeGreaterThanOrEqual(1)
  for (const { where, pattern, flags } of timed) {
    for (const text of pumped) {
      const run = () =>
        vm.runInNewContext(
          'regex.test(text)',
          { regex: new RegExp(pattern, flags.replace('g', '')), text },
          { timeout: LIMIT_MS },
        )
      expect(run, `${where} /${pattern}/${flags} on ${text.slice(0, 4)}`).not.toThrow()
    }
  }
})

/** Expressions that users write are compiled and matched in a thread that can be terminated. */
const WRITTEN_BY_PEOPLE = 'server/src/features/requests/sending/evaluate/evaluate-task.ts'

/** A search term in a response, in the user's own browser: each of its characters is literal. */
const LITERAL = 'web/src/features/requests/answer/text-rows.ts'

/** The search words: only letters and digits. */
const OF_WORDS = 'server/src/features/search/excerpt.ts'

/**
 * Parts of addresses, and words of exclusion, for lines of at most 1,000 characters: letter.deadline.test.ts measures
 * them.
 */
const OF_LETTERS = [
  ...Array.from({ length: 3 }, () => 'server/src/features/scope/letter/line-patterns.ts'),
  'server/src/features/scope/letter/words.ts',
]

test('I10: the one that is built from parts takes milliseconds, too', () => {
  const constructing = found.flatMap((each) => each.constructing).toSorted()
  expect(constructing).toEqual([
    WRITTEN_BY_PEOPLE,
    ...OF_LETTERS,
    OF_WORDS,
    'server/src/platform/text/invisible.ts',
    LITERAL,
  ])
  for (const text of pumped) {
    const started = performance.now()
    hasDeceptiveCharacters(text)
    expect(performance.now() - started, JSON.stringify(text.slice(0, 4))).toBeLessThan(hereMs(LIMIT_MS))
  }
})
