import type { BlockValue, InlineValue } from '@sortie/contract/reports/report-data.ts'
import type { Labels } from '../labels/labels.ts'
import { inlineText, plainText } from './marks.ts'

/** Where in a report a text is, as checks name it. */
export interface Place {
  type: 'section' | 'finding' | 'report'
  id: string
  /** Of a finding, the name of its text. */
  section: string | null
}

/** What composing noticed; checks and renders show it. */
export interface Note {
  code:
    | 'unknown_placeholder'
    | 'empty_placeholder'
    | 'missing_file'
    | 'broken_reference'
    | 'figure_without_caption'
    | 'unshown_character'
    | 'unreadable_image'
    | 'too_complex'
  place: Place
  quote: string | null
  message: string
}

/** A file that figures show. */
export interface FigureSource {
  id: string
  fileName: string
  caption: string
  isPicture: boolean
}

/** A request with its response as text, without secrets. */
export interface ExchangeSource {
  title: string
  request: string
  response: string | null
}

/** What texts refer to. */
export interface Sources {
  files: ReadonlyMap<string, FigureSource>
  /** By the id of a redacted file, the file that is shown in its place; null if that was deleted. */
  redactions: ReadonlyMap<string, string | null>
  /** By the id of a run, a saved request or a result. */
  exchanges: ReadonlyMap<string, ExchangeSource>
  /** Findings of the report, by id. */
  findings: ReadonlyMap<string, { anchor: string; text: string }>
  sections: ReadonlyMap<string, { anchor: string; text: string }>
  /** Titles of other objects of the engagement, by id. */
  titles: ReadonlyMap<string, string>
  /** Files that could be read as images. */
  images: ReadonlySet<string>
  /** Why a picture could not be read, by id. */
  unreadable: ReadonlyMap<string, string>
  /** The value of a placeholder; empty: it has none yet; undefined: there is no such placeholder. */
  placeholder: (name: string) => string | undefined
}

/** Numbers, references and notes of one report while its blocks are made, in the order of the report. */
export interface Composer {
  labels: Labels
  sources: Sources
  notes: Note[]
  note: (note: Note) => void
  inline: (text: string, place: Place) => InlineValue[]
  plain: (text: string, place: Place) => string
  /** A figure with the next number. */
  figure: (fileId: string, caption: string, place: Place) => BlockValue
  /** The next number of a table, with its anchor. */
  nextTable: () => { number: number; anchor: string }
  nextFootnotes: (count: number) => number
  /** A reference to a figure, whose number may not be known yet. */
  fileReference: (fileId: string, label: string | undefined, place: Place) => InlineValue
  /** Completes references to figures, once all of them have numbers. */
  finish: () => void
}

export const createComposer = (labels: Labels, sources: Sources): Composer => {
  let figures = 0
  let tables = 0
  let footnotes = 0
  const notes: Note[] = []
  const noted = new Set<string>()
  const numberOfFile = new Map<string, number>()
  const pending: { inline: InlineValue; fileId: string; label: string | undefined; place: Place }[] = []

  const note = (added: Note): void => {
    const key = JSON.stringify([added.code, added.place, added.quote, added.message])
    if (noted.has(key)) return
    noted.add(key)
    notes.push(added)
  }
  const onMark = (place: Place) => (code: string) =>
    note({ code: 'unshown_character', place, quote: code, message: `No font shows the character ${code}.` })
  const inline = (text: string, place: Place): InlineValue[] => inlineText(text, onMark(place))
  const plain = (text: string, place: Place): string => plainText(text, onMark(place))

  const missing = (fileId: string, place: Place): BlockValue => {
    note({ code: 'missing_file', place, quote: fileId, message: 'The text embeds a file that does not exist here.' })
    return { type: 'paragraph', content: [{ type: 'text', text: `[${labels.missingFile}: ${fileId}]` }] }
  }

  const shownFor = (fileId: string): string => sources.redactions.get(fileId) ?? fileId

  const figure: Composer['figure'] = (namedId, written, place) => {
    const fileId = shownFor(namedId)
    const file = sources.files.get(fileId)
    if (!file) return missing(namedId, place)
    figures += 1
    const number = figures
    if (!numberOfFile.has(fileId)) numberOfFile.set(fileId, number)
    const caption = written === '' ? file.caption : written
    const problem = sources.unreadable.get(fileId)
    if (problem !== undefined) note({ code: 'unreadable_image', place, quote: file.fileName, message: problem })
    if (caption === '')
      note({
        code: 'figure_without_caption',
        place,
        quote: file.fileName,
        message: 'A figure has no caption: readers get its file name instead.',
      })
    return {
      type: 'figure',
      anchor: `figure-${number}`,
      number,
      caption: inline(caption, place),
      image: sources.images.has(fileId) ? fileId : null,
      alt: plain(caption === '' ? file.fileName : caption, place),
    }
  }

  return {
    labels,
    sources,
    notes,
    note,
    inline,
    plain,
    figure,
    nextTable: () => {
      tables += 1
      return { number: tables, anchor: `table-${tables}` }
    },
    nextFootnotes: (count) => {
      const start = footnotes + 1
      footnotes += count
      return start
    },
    fileReference: (fileId, label, place) => {
      const reference: InlineValue = { type: 'reference', text: label ?? '' }
      pending.push({ inline: reference, fileId, label, place })
      return reference
    },
    finish: () => {
      for (const { inline: reference, fileId, label, place } of pending) {
        const number = numberOfFile.get(shownFor(fileId))
        if (number === undefined) {
          note({
            code: 'broken_reference',
            place,
            quote: fileId,
            message: 'The text refers to a figure that is not in the report.',
          })
          reference.type = 'text'
          reference.text = label ?? `[${labels.missingReference}]`
          continue
        }
        reference.text = label ?? `${labels.figure} ${number}`
        reference.target = `figure-${number}`
      }
    },
  }
}
