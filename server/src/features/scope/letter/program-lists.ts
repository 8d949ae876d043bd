import { parse } from 'csv-parse/sync'
import { isRefusal } from '../rules/host.ts'
import { recognisePattern } from '../rules/pattern.ts'
import type { Effect } from '../rules/rule-set.ts'
import type { LetterRule } from './letter.ts'
import { folded, mentionsIn } from './words.ts'

/** An asset of a list, as its program states it. */
interface ListedAsset {
  asset: string
  effect: Effect | null
  /** Why the effect is what it is, or is uncertain. */
  why: string
  note: string
  /** The line in the text. */
  line: number
}

const MAX_ASSETS = 10_000
const MAX_NOTE = 400
const MAX_DEPTH = 12

/** Columns of exports of HackerOne, and of lists made alike. */
const ASSET_COLUMNS = ['identifier', 'asset', 'target', 'endpoint', 'uri', 'domain']
const EFFECT_COLUMNS = ['eligible_for_submission', 'in_scope', 'in scope', 'inscope', 'scope', 'tier']
const NOTE_FIELDS = [
  'instruction',
  'instructions',
  'description',
  'note',
  'notes',
  'name',
  'asset_type',
  'type',
  'category',
]

/**
 * Reads the list of scope of a bug bounty program: the CSV of HackerOne, the JSON of Bugcrowd, Intigriti and others. An
 * asset is `allow` only where the list says so itself, and `deny` where anything says that it is out of scope (D1).
 *
 * @returns undefined for any other text, such as a letter
 */
export const readProgramList = (text: string): LetterRule[] | undefined => {
  const start = text.trimStart().slice(0, 1)
  const assets = start === '{' || start === '[' ? assetsOfJson(text) : assetsOfCsv(text)
  return assets?.slice(0, MAX_ASSETS).map(doubted).flatMap(toRules)
}

/** Words next to an asset, such as "do not test", leave open what its flag allows. */
const doubted = (listed: ListedAsset): ListedAsset => {
  if (listed.effect !== 'allow' || mentionsIn(folded(listed.note)).every(({ signal }) => signal === 'allow'))
    return listed
  return { ...listed, effect: null, why: `${listed.why}, and its words may exclude it` }
}

/** An entry may name several assets. Apps, source code and devices are not hosts. */
const toRules = ({ asset, effect, why, note, line }: ListedAsset): LetterRule[] =>
  asset
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((each): LetterRule => {
      const found = recognisePattern(each)
      const base = {
        line,
        source: each.slice(0, MAX_NOTE),
        input: each,
        note: note.slice(0, MAX_NOTE),
        isDoubtful: effect === null,
        isPlain: true,
      }
      return isRefusal(found)
        ? { ...base, effect, pattern: null, reason: found.refused }
        : { ...base, effect, pattern: found.canonical, reason: why }
    })

const YES = /^(?:true|yes|y|1|in|in[ _-]?scope|allowed)$/i
const NO = /^(?:false|no|n|0|out|out[ _-]?of[ _-]?scope|excluded|not in scope)$/i

const effectOfWord = (word: unknown): Effect | null => {
  const text = String(word).trim()
  return NO.test(text) ? 'deny' : YES.test(text) ? 'allow' : null
}

const assetsOfCsv = (text: string): ListedAsset[] | undefined => {
  const first = text.trimStart().split(/\r?\n/, 1)[0] ?? ''
  const delimiter = first.includes(';') && !first.includes(',') ? ';' : ','
  const names = first.split(delimiter).map((name) => name.trim().replace(/^"|"$/g, '').toLowerCase())
  const [assetColumn, effectColumn] = [
    ASSET_COLUMNS.find((name) => names.includes(name)),
    EFFECT_COLUMNS.find((name) => names.includes(name)),
  ]
  if (assetColumn === undefined || effectColumn === undefined) return undefined
  const rows = rowsOf(text, delimiter)
  if (!rows) return undefined
  return rows.slice(1).map(({ record, info }) => {
    const cell = (name: string) => record[names.indexOf(name)]?.trim() ?? ''
    const written = cell(effectColumn)
    const effect = effectOfWord(written)
    const why =
      effect === null
        ? `the column ${effectColumn} does not say whether this is in scope`
        : `${effectColumn} is ${written}`
    return { asset: cell(assetColumn), effect, why, note: noteOf(NOTE_FIELDS.map(cell)), line: info.lines }
  })
}

const rowsOf = (text: string, delimiter: string): { record: string[]; info: { lines: number } }[] | undefined => {
  try {
    return parse(text, {
      delimiter,
      bom: true,
      info: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_ASSETS + 1,
    }) as unknown as {
      record: string[]
      info: { lines: number }
    }[]
  } catch {
    return undefined
  }
}

/** The title of the asset is not its note. */
const noteOf = (parts: readonly string[]): string =>
  [...new Set(parts.map((part) => part.replace(/\s+/g, ' ').trim()).filter(Boolean))].slice(0, 3).join(' · ')

/** Names of lists of assets. */
const OF_SCOPE = /^(?:out[_ ]?of|in)[_ ]?scope$/i

const assetsOfJson = (text: string): ListedAsset[] | undefined => {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return undefined
  }
  const lines = new LineFinder(text)
  const found: ListedAsset[] = []
  const visit = (value: unknown, effect: Effect | null, why: string, depth: number, key = ''): void => {
    if (depth > MAX_DEPTH || found.length >= MAX_ASSETS || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const each of value) {
        // A list of plain assets under the name of its effect.
        if (typeof each === 'string' && each !== '' && OF_SCOPE.test(key) && found.length < MAX_ASSETS)
          found.push({ asset: each, effect, why, note: '', line: lines.of(each) })
        else visit(each, effect, why, depth + 1)
      }
      return
    }
    const own = statedIn(value as Record<string, unknown>)
    // What is out of scope stays so, whatever an entry in it says.
    const [here, reason] = own && effect !== 'deny' ? own : ([effect, why] as const)
    const asset = ['identifier', 'asset_identifier', 'endpoint', 'uri', 'target', 'name']
      .map((key) => (value as Record<string, unknown>)[key])
      .find((each) => typeof each === 'string' && each !== '')
    const isEntry =
      typeof asset === 'string' &&
      !Object.values(value).some((inner) => Array.isArray(inner) && inner.some((each) => typeof each === 'object'))
    if (isEntry) {
      const note = noteOf(
        NOTE_FIELDS.map((key) => (value as Record<string, unknown>)[key]).map((each) =>
          typeof each === 'string' && each !== asset ? each : '',
        ),
      )
      found.push({ asset, effect: here, why: reason, note, line: lines.of(asset) })
      return
    }
    for (const [key, inner] of Object.entries(value)) {
      const ofKey = /^out[_ ]?of[_ ]?scope$/i.test(key)
        ? 'deny'
        : /^in[_ ]?scope$/i.test(key) && here !== 'deny'
          ? 'allow'
          : undefined
      visit(inner, ofKey ?? here, ofKey === undefined ? reason : `listed under ${key}`, depth + 1, key)
    }
  }
  visit(file, null, 'the list does not say whether this is in scope', 0)
  return found.length > 0 ? found : undefined
}

/** What an object states of itself: a flag, or Intigriti's tier and Bugcrowd's group. */
const statedIn = (value: Record<string, unknown>): readonly [Effect | null, string] | undefined => {
  for (const key of ['eligible_for_submission', 'in_scope', 'inScope', 'inscope']) {
    const flag = value[key]
    if (typeof flag === 'boolean' || typeof flag === 'string') return [effectOfWord(flag), `${key} is ${String(flag)}`]
  }
  for (const key of ['tier', 'impact']) {
    const inner = value[key]
    const word = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)['value'] : inner
    if (typeof word === 'string' && /out[ _-]?of[ _-]?scope/i.test(word))
      return ['deny', `${key} is ${word.slice(0, 60)}`]
    if (typeof word === 'string' && /^tier \d$/i.test(word.trim())) return ['allow', `${key} is ${word}`]
  }
  return undefined
}

/** Finds the lines of texts that come in the order of the file. */
class LineFinder {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  of(written: string): number {
    const found = this.#text.indexOf(JSON.stringify(written), this.#at)
    if (found < 0) return this.#line
    for (let at = this.#text.indexOf('\n', this.#at); at >= 0 && at < found; at = this.#text.indexOf('\n', at + 1))
      this.#line++
    this.#at = found
    return this.#line
  }
}
