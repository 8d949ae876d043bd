import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'

/** A name that is replaced by its value where the text is shown. */
export interface Placeholder {
  name: string
  /** What it is replaced by. */
  label: string
}

const CLOSING = '}}'

const optionOf = ({ name, label }: Placeholder, index: number): Completion => ({
  label: name,
  detail: label,
  boost: -index,
  apply: (view: EditorView, _: Completion, from: number, to: number) => {
    const isClosed = view.state.sliceDoc(to, to + CLOSING.length) === CLOSING
    const insert = name + CLOSING
    view.dispatch({
      changes: { from, to: isClosed ? to + CLOSING.length : to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    })
  },
})

/** Completes placeholders after `{{`, by their name or what they mean. */
export const placeholderCompletion =
  (placeholders: () => readonly Placeholder[]): CompletionSource =>
  (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/\{\{[\w.]{0,100}$/)
    if (!typed) return null
    const words = typed.text.slice(2).toLowerCase()
    const found = placeholders().filter(
      ({ name, label }) => name.toLowerCase().includes(words) || label.toLowerCase().includes(words),
    )
    if (found.length === 0) return null
    return { from: typed.from + 2, options: found.map(optionOf), filter: false }
  }
