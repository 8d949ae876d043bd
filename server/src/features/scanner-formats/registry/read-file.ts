import { countCuts, MAX_LINE, MAX_TEXT } from '../../inventory/sightings/clean.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { readStatedTimes } from '../fields/stated-times.ts'
import { CutOff, isMostlyBroken, openText, type Progress, peek, type TextLimits } from '../readers/open-text.ts'
import type { FormatId, Head, Item } from './format.ts'
import { findFormat, recognise } from './formats.ts'
import { headOf } from './head.ts'

export interface FileToRead {
  path: string
  format: FormatId | 'auto'
  /** For a CSV with unknown headers: column to field. */
  mapping: Readonly<Record<string, string>>
  /** The address that was tested, for files whose lines name no host. */
  baseUrl?: string | undefined
  limits: TextLimits
}

/** The items of a file: the format first, then its contents. */
export type FileItem = Item | { type: 'format'; format: FormatId; knowsCoverage: boolean }

/**
 * Reads a file of any format, in little memory whatever its size.
 *
 * @throws UnreadableFile if nothing in it is usable
 */
export async function* readFile(
  { path, format, limits, mapping, baseUrl }: FileToRead,
  progress: Progress = { bytes: 0 },
): AsyncGenerator<FileItem> {
  const { begin, whole } = peek(openText(path, limits, progress))
  const head = await headOfFile(begin, format)
  const found = recognise(head, format)
  if (!found) return
  yield { type: 'format', format: found.id, knowsCoverage: found.knowsCoverage }
  let cut: string | undefined
  const onceMore = () => withoutCutOff(openText(path, limits, { bytes: 0 }), () => undefined)
  const encoding = found.legacyEncoding && (await isMostlyBroken(onceMore())) ? found.legacyEncoding : undefined
  if (encoding !== undefined)
    yield { type: 'warning', text: `The file is not UTF-8, and was read as ${NAMES[encoding]}.` }
  const text = withoutCutOff(encoding === undefined ? whole : openText(path, limits, progress, encoding), (reason) => {
    cut = reason
  })
  const again = () => withoutCutOff(openText(path, limits, { bytes: 0 }, encoding), () => undefined)
  const stated = await readStatedTimes(again(), head, found.statedTimes(head))
  if (stated) yield stated
  const left = new LeftOut()
  for await (const item of found.read(text, head, { mapping, baseUrl, again })) {
    if (item.type === 'sighting') left.note(item.sighting)
    if (item.type !== 'cut') yield item
    else cut ??= item.reason
  }
  yield* left.warnings()
  if (cut !== undefined) yield { type: 'cut', reason: cut }
}

/** Distinct words that are counted, and listed in a warning. */
const MAX_WORDS = 50

/** Counts what the sightings of a file do not keep: the ends of texts, and severities that are not known. */
class LeftOut {
  #texts = 0
  #lines = 0
  readonly #severities = new Map<string, number>()

  note({ data, unknownSeverity }: Sighting): void {
    const { texts, lines } = countCuts(data)
    this.#texts += texts
    this.#lines += lines
    if (unknownSeverity === null) return
    const count = this.#severities.get(unknownSeverity)
    if (count !== undefined || this.#severities.size < MAX_WORDS)
      this.#severities.set(unknownSeverity, (count ?? 0) + 1)
  }

  *warnings(): Generator<FileItem> {
    for (const [what, max, count] of [
      ['Texts', MAX_TEXT, this.#texts],
      ['Lines', MAX_LINE, this.#lines],
    ] as const) {
      if (count > 0)
        yield {
          type: 'warning',
          text: `${what} with more than ${max.toLocaleString('en')} characters, which were cut there: ${count}.`,
        }
    }
    const words = [...this.#severities].map(([word, count]) => `${JSON.stringify(word)} (${count})`)
    if (words.length > 0) yield { type: 'warning', text: `Unknown severities were left empty: ${words.join(', ')}.` }
  }
}

const NAMES = { 'windows-1252': 'Windows-1252' } as const

/** Characters read to detect the format; extended for a long first record up to the maximum length of a record. */
const HEAD_CHARACTERS = 1024 * 1024
const MAX_HEAD_CHARACTERS = 32 * HEAD_CHARACTERS

/** A response of megabytes may come before the keys that identify a format. */
const headOfFile = async (begin: (characters: number) => Promise<string>, format: FormatId | 'auto'): Promise<Head> => {
  let characters = HEAD_CHARACTERS
  let start = await begin(characters)
  let head = await headOf(start)
  while (
    head.shape === 'json' &&
    head.isCut &&
    !findFormat(head, format) &&
    start.length >= characters &&
    characters < MAX_HEAD_CHARACTERS
  ) {
    characters *= 2
    start = await begin(characters)
    head = await headOf(start)
  }
  return head
}

/** Ends the text where the file is cut off, so that open parts finish as at a regular end. */
async function* withoutCutOff(text: AsyncIterable<string>, onCut: (reason: string) => void): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    if (!(error instanceof CutOff)) throw error
    onCut(error.message)
  }
}
