import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { createThreadPool } from '../../../../platform/concurrency/threads.ts'
import type { Platform } from '../../../../platform/context.ts'
import { ApiError } from '../../../../platform/errors.ts'
import type { Place } from '../../document/composer.ts'
import type { ReportSource } from '../../document/read-source.ts'
import { baseOf } from '../../labels/labels.ts'
import type { Problem } from '../problems.ts'
import type * as tasks from './spelling-task.ts'
import type { SpelledText } from './words-in.ts'

/** A text with its place, and how it is written. */
export type SpelledPlace = SpelledText & { place: Place }

/** Rows of one report; one more says how many there are in all. */
const MAX_ROWS = 100
/** Characters of a report that are checked: a few hundred findings with long texts. */
const MAX_CHARACTERS = 3_000_000
const BUILT_IN = { american: 'dictionary-en', british: 'dictionary-en-gb' } as const

/** Reading a dictionary takes seconds, so a thread keeps it while reports are checked. Memory in MiB. */
const threads = createThreadPool<typeof tasks>(new URL('spelling-task.ts', import.meta.url), {
  maxThreads: 1,
  maxWaiting: 64,
  maxWaitingOfParty: 16,
  maxWaitMs: 30_000,
  maxMs: 20_000,
  idleMs: 300_000,
  maxHeapMb: 512,
  isLowPriority: true,
  busy: 'Too many reports are being checked. Try again in a few seconds.',
})

/**
 * Words that neither a dictionary nor the lists of the organization and of the engagement have, once for each section.
 * What cannot be checked is a problem as well: nothing found means that everything was checked.
 */
export const spellingProblems = async (
  { config: { SPELLING_DICTIONARIES: directory }, log }: Pick<Platform, 'config' | 'log'>,
  source: ReportSource,
  texts: readonly SpelledPlace[],
): Promise<Problem[]> => {
  const { report } = source
  const { language } = report
  const inReport = (message: string, quote: string | null): Problem => ({
    code: 'spelling',
    message,
    where: { type: 'report', id: report.id, section: null, quote },
  })
  const dictionaries = await dictionariesOf(language, directory)
  if (dictionaries.length === 0)
    return [
      inReport(
        'The spelling is not checked: this instance has no dictionary for the language of the report. Its operator can add one (SPELLING_DICTIONARIES).',
        language,
      ),
    ]
  const checked = upTo(MAX_CHARACTERS, texts)
  const problems: Problem[] = []
  if (checked.length < texts.length)
    problems.push(inReport(`The spelling of the first ${count(MAX_CHARACTERS)} characters is checked.`, null))
  try {
    const found = await threads.run(source.organizationId, 'misspelled', {
      texts: checked.map(({ text, isMarkdown, hasPlaceholders }) => ({ text, isMarkdown, hasPlaceholders })),
      dictionaries,
      accepted: acceptedOf(source),
      isLatin: localeOf(language).maximize().script === 'Latn',
    })
    const rows = distinct(checked.flatMap(({ place }, index) => (found[index] ?? []).map((word) => ({ place, word }))))
    problems.push(
      ...rows.slice(0, MAX_ROWS).map(({ place, word }): Problem => ({
        code: 'spelling',
        message: 'The word is not in the dictionary.',
        where: { ...place, quote: word },
      })),
    )
    if (rows.length > MAX_ROWS)
      problems.push(
        inReport(`Only ${MAX_ROWS} words are listed: ${count(rows.length)} are not in the dictionary.`, language),
      )
  } catch (error) {
    // Someone waits for the other problems: a dictionary that cannot be read must not hide them.
    const isBusy = error instanceof ApiError
    if (!isBusy) log.warn({ err: error, dictionaries }, 'the spelling of a report was not checked')
    problems.push(
      inReport(
        isBusy
          ? 'The spelling is not checked: it takes too long at the moment.'
          : 'The spelling is not checked: the dictionary of the language cannot be read.',
        language,
      ),
    )
  }
  return problems
}

const localeOf = (language: string): Intl.Locale => {
  try {
    return new Intl.Locale(language)
  } catch {
    // The pattern of languages allows tags that no locale has.
    return new Intl.Locale(baseOf(language))
  }
}

const count = (value: number): string => value.toLocaleString('en')

/**
 * What a thread reads for a language (BCP 47): built-in English, or files of the operator. Texts in other languages use
 * English terms, so English is accepted in them.
 */
const dictionariesOf = async (language: string, directory: string | undefined): Promise<string[]> => {
  const { language: base, region } = localeOf(language)
  if (base === 'en') {
    if (region === undefined) return [BUILT_IN.american, BUILT_IN.british]
    return [region === 'US' ? BUILT_IN.american : BUILT_IN.british]
  }
  if (directory === undefined) return []
  const files = new Set(await readdir(directory).catch(() => []))
  const names = [...files]
    .filter((name) => name.endsWith('.aff'))
    .map((name) => name.slice(0, -'.aff'.length))
    .filter((name) => files.has(`${name}.dic`))
    .toSorted()
  const wanted = [...(region === undefined ? [] : [`${base}_${region}`]), base, `${base}_${base.toUpperCase()}`]
  const name =
    wanted.find((one) => names.includes(one)) ??
    names.find((one) => one.startsWith(`${base}_`) || one.startsWith(`${base}-`))
  return name === undefined ? [] : [path.join(directory, name), BUILT_IN.american]
}

/** Words of both lists, and of names in the engagement: of organization, client, people, assets and findings. */
const acceptedOf = ({ frame, settings, findings, affected, team, report }: ReportSource): string[] => {
  const contacts = [frame.contacts, frame.client_contacts].flatMap((list) => (Array.isArray(list) ? list : []))
  const names = [
    ...settings.words,
    ...frame.report_words,
    frame.organization_name,
    frame.client_name ?? '',
    frame.client_short_name ?? '',
    ...(frame.client_domains ?? []),
    frame.name,
    ...report.authors.map(({ name }) => name),
    ...team.map(({ name }) => name),
    ...contacts.map((contact: { name?: unknown }) => (typeof contact.name === 'string' ? contact.name : '')),
    ...findings.map(({ title }) => title),
    ...affected.map(({ asset }) => asset),
  ]
  const accepted = new Set<string>()
  for (const name of names) {
    const lower = name.normalize('NFC').toLowerCase()
    accepted.add(lower)
    for (const word of lower.match(/[\p{L}\p{M}]+/gu) ?? []) accepted.add(word)
  }
  return [...accepted]
}

/** Whole texts from the first on, with at most this many characters together. */
const upTo = (limit: number, texts: readonly SpelledPlace[]): readonly SpelledPlace[] => {
  let sum = 0
  const end = texts.findIndex(({ text }) => (sum += text.length) > limit)
  return end < 0 ? texts : texts.slice(0, end)
}

const distinct = (rows: readonly { place: Place; word: string }[]) => [
  ...new Map(rows.map((row) => [JSON.stringify([row.place, row.word]), row])).values(),
]
