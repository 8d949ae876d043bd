import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { TABLE } from './table.ts'

interface Block {
  name: string
  explanation: string
  before: string
  /** Text inserted after the cursor. */
  after?: string
}

const BLOCKS: readonly Block[] = [
  { name: 'heading', explanation: 'Heading', before: '## ' },
  { name: 'subheading', explanation: 'Smaller heading', before: '### ' },
  { name: 'list', explanation: 'List', before: '- ' },
  { name: 'numbered', explanation: 'Numbered list', before: '1. ' },
  { name: 'checklist', explanation: 'Checklist', before: '- [ ] ' },
  { name: 'table', explanation: 'Table', before: '| ', after: TABLE.slice(2) },
  { name: 'code', explanation: 'Code', before: '```\n', after: '\n```' },
  { name: 'quote', explanation: 'Quote', before: '> ' },
  { name: 'link', explanation: 'Link to a page or an object', before: '[[', after: ']]' },
  { name: 'footnote', explanation: 'Footnote', before: '[^1]\n\n[^1]: ' },
  { name: 'line', explanation: 'Divider', before: '---\n' },
]

const optionOf = ({ name, explanation, before, after = '' }: Block): Completion => ({
  label: `/${name}`,
  detail: explanation,
  apply: (view: EditorView, _: Completion, from: number, to: number) =>
    view.dispatch({
      changes: { from, to, insert: before + after },
      selection: { anchor: from + before.length },
      userEvent: 'input.complete',
    }),
})

/** Completions of `/` at the start of a line. */
export const slashCommands = (chooseFiles: () => void): CompletionSource => {
  const file: Completion = {
    label: '/file',
    detail: 'Upload a file or a picture',
    apply: (view, _, from, to) => {
      view.dispatch({ changes: { from, to } })
      chooseFiles()
    },
  }
  const options = [...BLOCKS.map(optionOf), file].map((option, index) => ({ ...option, boost: -index }))
  return (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/^\s*\/\w*$/)
    if (!typed) return null
    return { from: typed.from + typed.text.indexOf('/'), options, validFor: /^\/\w*$/ }
  }
}
