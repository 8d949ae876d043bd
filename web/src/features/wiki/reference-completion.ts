import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'

/** Something that a text can name. */
export interface Nameable {
  title: string
  /** What it is, for people. */
  kind: string
  /** What stands between the brackets. */
  reference: string
}

/** The best first. Nothing where the server could not be asked. */
export type FindNameable = (words: string) => Promise<readonly Nameable[]>

const CLOSING = ']]'

const optionOf = ({ title, kind, reference }: Nameable, index: number): Completion => ({
  label: title,
  detail: kind,
  boost: -index,
  apply: (view: EditorView, _: Completion, from: number, to: number) => {
    const isClosed = view.state.sliceDoc(to, to + CLOSING.length) === CLOSING
    const insert = reference + CLOSING
    const end = isClosed ? to + CLOSING.length : to
    view.dispatch({ changes: { from, to: end, insert }, selection: { anchor: from + insert.length }, userEvent: 'input.complete' })
  },
})

/** What can be named, after `[[` and two letters. */
export const referenceCompletion =
  (find: FindNameable): CompletionSource =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const typed = context.matchBefore(/\[\[[^[\]\n]{2,100}$/)
    if (!typed) return null
    const found = await find(typed.text.slice(2).trim())
    if (context.aborted || found.length === 0) return null
    return { from: typed.from + 2, options: found.map(optionOf), filter: false }
  }
