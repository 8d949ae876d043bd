import { type Fence, fenceAfter, partsOf } from './text-parts.ts'

/** A part of a text that is rendered by itself. */
export interface TextPart {
  text: string
  /** For a text in several parts: `PartNotes` as JSON, so that an unchanged part is recognized. */
  notes?: string
}

export interface PartNotes {
  /** Notes that the part refers to. */
  references: Note[]
  /** Notes that the part shows, as one list. */
  shown: Note[]
}

export interface Note {
  label: string
  number: number
  /** For a reference: its number in earlier parts. For a note that is shown: its total. */
  count: number
}

const DEFINITION = /^ {0,3}\[\^([^\]\s[]{1,200})\]:[ \t]*/
const INDENTED = /^(?: {4}|\t)/
/** Starts a new block, and so ends the note of the line before. */
const BLOCK = /^ {0,3}(?:#{1,6}\s|>|[-+*]\s|\d{1,9}[.)]\s|`{3}|~{3}|\||\[\^)/
/** Escapes, backticks and references. */
const PIECES = /\\[\s\S]|`+|\[\^([^\]\s[]{1,200})\]/g
/** Maximum characters of notes rendered together. */
const NOTES_LENGTH = 8_000

/**
 * Splits a text into parts that render one after another. The notes of a long text go to its end, numbered across the
 * text: a reference and its note can be in different parts.
 */
export const layOut = (text: string): TextPart[] => {
  const plain = partsOf(text)
  if (plain.length === 1) return [{ text }]
  const { rest, definitions } = extractDefinitions(text)
  if (definitions.size === 0) return plain.map((part) => ({ text: part }))
  const labels: string[] = []
  const uses = new Map<string, Note>()
  const referTo = (part: string): Note[] => {
    const references = new Map<string, Note>()
    for (const label of referencesIn(part)) {
      if (!definitions.has(label)) continue
      const used = uses.get(label) ?? { label, number: labels.push(label), count: 0 }
      if (!references.has(label)) references.set(label, { ...used })
      uses.set(label, { ...used, count: used.count + 1 })
    }
    return [...references.values()]
  }
  const bodies = partsOf(rest).map((part) => withNotes(part, referTo(part)))
  const notes: { pieces: string[]; references: Note[] }[] = []
  // A note can refer to notes without any other reference.
  for (const label of labels) {
    const pieces = partsOf(definitions.get(label) as string)
    notes.push({ pieces, references: pieces.flatMap(referTo) })
  }
  return [
    ...bodies,
    ...listsOf(notes.map((note, index) => ({ ...note, shown: uses.get(labels[index] as string) as Note }))),
  ]
}

const withNotes = (text: string, references: Note[], shown: Note[] = []): TextPart => {
  if (references.length === 0 && shown.length === 0) return { text }
  // The parser only recognizes references whose note is in the same part; the stub is removed afterwards.
  const stubs = [...new Set(references.map(({ label }) => `[^${label}]: .`))]
  return { text: [text, ...stubs].join('\n\n'), notes: JSON.stringify({ references, shown } satisfies PartNotes) }
}

/** Notes as lists short enough to render at once; the rest of a long note follows its list. */
const listsOf = (notes: readonly { pieces: string[]; references: Note[]; shown: Note }[]): TextPart[] => {
  const parts: TextPart[] = []
  let items: string[] = []
  let references: Note[] = []
  let shown: Note[] = []
  const close = () => {
    if (shown.length > 0) parts.push(withNotes(items.join('\n\n'), references, shown))
    items = []
    references = []
    shown = []
  }
  let length = 0
  for (const note of notes) {
    const [first = '', ...more] = note.pieces
    if (length + first.length > NOTES_LENGTH) {
      close()
      length = 0
    }
    const mark = `${note.shown.number}. `
    items.push(mark + first.split('\n').join(`\n${' '.repeat(mark.length)}`))
    length += first.length + mark.length
    references.push(...note.references)
    shown.push(note.shown)
    if (more.length === 0) continue
    close()
    length = 0
    parts.push(...more.map((text) => withNotes(text, note.references)))
  }
  close()
  return parts
}

/** Takes notes out of a text; of two of one label the first counts. */
const extractDefinitions = (text: string): { rest: string; definitions: Map<string, string> } => {
  const definitions = new Map<string, string>()
  const rest: string[] = []
  let fence: Fence | undefined
  let open: { label: string; lines: string[] } | undefined
  const close = () => {
    if (open && !definitions.has(open.label)) definitions.set(open.label, open.lines.join('\n').trim())
    open = undefined
  }
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    if (open) {
      const goesOn = isBlank || INDENTED.test(line) || (open.lines.at(-1)?.trim() !== '' && !BLOCK.test(line))
      if (goesOn) {
        open.lines.push(line.replace(INDENTED, ''))
        continue
      }
      close()
      // A blank line after the note stays in the text.
      rest.push('')
    }
    const [start, label] = (fence === undefined && DEFINITION.exec(line)) || []
    if (start !== undefined && label !== undefined) {
      open = { label: label.toLowerCase(), lines: [line.slice(start.length)] }
      continue
    }
    fence = fenceAfter(fence, line)
    rest.push(line)
  }
  close()
  return { rest: rest.join('\n'), definitions }
}

/** Labels in the order of their references, without those in code. */
const referencesIn = (text: string): string[] => {
  const labels: string[] = []
  let fence: Fence | undefined
  let paragraph: string[] = []
  const close = () => {
    labels.push(...referencesOfParagraph(paragraph.join('\n')))
    paragraph = []
  }
  for (const line of text.split('\n')) {
    const before = fence
    fence = fenceAfter(fence, line)
    if (before || fence || line.trim() === '') close()
    else paragraph.push(line)
  }
  close()
  return labels
}

const referencesOfParagraph = (text: string): string[] => {
  const pieces = [...text.matchAll(PIECES)]
  const lastRun = new Map(pieces.map(([piece], index) => [piece, index]))
  const labels: string[] = []
  for (let at = 0; at < pieces.length; at++) {
    const [piece = '', label] = pieces[at] as RegExpExecArray
    if (label !== undefined) labels.push(label.toLowerCase())
    // Backticks open code only if a run of the same length closes it.
    if (!piece.startsWith('`') || (lastRun.get(piece) as number) <= at) continue
    at++
    while (pieces[at]?.[0] !== piece) at++
  }
  return labels
}
