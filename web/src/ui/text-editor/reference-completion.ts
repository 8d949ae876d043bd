import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'

/** An object that a text can reference. */
export interface Nameable {
  title: string
  /** Label of its type. */
  kind: string
  /** Text between the brackets. */
  reference: string
}

/** Best match first. Empty if the server cannot be reached. */
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
    view.dispatch({
      changes: { from, to: end, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    })
  },
})

/** Completes references after `[[` and two letters. */
export const referenceCompletion =
  (find: FindNameable): CompletionSource =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const typed = context.matchBefore(/\[\[[^[\]\n]{2,100}$/)
    if (!typed) return null
    const found = await find(typed.text.slice(2).trim())
    if (context.aborted || found.length === 0) return null
    return { from: typed.from + 2, options: found.map(optionOf), filter: false }
  }
