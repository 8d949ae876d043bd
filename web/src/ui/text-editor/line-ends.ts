import {
  type EditorState,
  type RangeSet,
  RangeSetBuilder,
  RangeValue,
  StateEffect,
  StateField,
  Text,
} from '@codemirror/state'

const LINE_END = /\r\n?|\n/g

/** A line break other than CodeMirror's own. */
class LineEnd extends RangeValue {
  // Deleted with its line break, and not extended by input next to it.
  override startSide = 1
  override endSide = -1

  readonly characters: string

  constructor(characters: string) {
    super()
    this.characters = characters
  }

  override eq(other: RangeValue): boolean {
    return other instanceof LineEnd && other.characters === this.characters
  }
}

/** Replaces the stored line breaks. Positions refer to the document after the changes of the same transaction. */
export const setLineEnds = StateEffect.define<RangeSet<LineEnd>>()

/**
 * CR and CRLF line breaks of a text. CodeMirror knows only one kind: without these ranges, saving such a page would
 * change all of its lines.
 */
export const lineEnds = StateField.define<RangeSet<LineEnd>>({
  create: () => lineEndsOf(''),
  update: (ends, { changes, effects }) => effects.find((effect) => effect.is(setLineEnds))?.value ?? ends.map(changes),
})

/** Document positions with a line break other than `\n`. */
export const lineEndsOf = (text: string): RangeSet<LineEnd> => {
  const builder = new RangeSetBuilder<LineEnd>()
  let dropped = 0
  for (const { 0: characters, index } of text.matchAll(LINE_END)) {
    if (characters === '\n') continue
    builder.add(index - dropped, index - dropped + 1, new LineEnd(characters))
    dropped += characters.length - 1
  }
  return builder.finish()
}

/** Text as CodeMirror counts it: each line break is one character. */
export const withPlainEnds = (text: string): string => text.replaceAll(LINE_END, '\n')

export const documentOf = (text: string): Text => Text.of(text.split(LINE_END))

/** Text of an editor up to a position, or all of it, with its original line breaks. */
export const textOf = (state: EditorState, until = state.doc.length): string => {
  const plain = state.doc.sliceString(0, until)
  const parts: string[] = []
  let at = 0
  for (const cursor = state.field(lineEnds).iter(); cursor.value && cursor.to <= until; cursor.next()) {
    parts.push(plain.slice(at, cursor.from), cursor.value.characters)
    at = cursor.to
  }
  return parts.join('') + plain.slice(at)
}
