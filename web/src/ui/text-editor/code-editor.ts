import { autocompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Annotation, ChangeSet, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { changesBetween } from '../text-merge/text-changes.ts'
import { decorations } from './decorations.ts'
import { documentOf, lineEnds, lineEndsOf, setLineEnds, textOf, withPlainEnds } from './line-ends.ts'
import { type Placeholder, placeholderCompletion } from './placeholder-completion.ts'
import { type FindNameable, referenceCompletion } from './reference-completion.ts'
import { slashCommands } from './slash-commands.ts'

export interface EditorOptions {
  /** For screen readers. */
  label: string
  /** As high as its text; otherwise as high as its host. */
  grows?: boolean
  /** Called for input of the user, not for changes from the server. */
  onTyped: () => void
  onFiles: (files: File[]) => void
  onSave: () => void
  /** Opens the file dialog. */
  onChooseFiles: () => void
  find: FindNameable
  /** Address of a file that the text shows. */
  fileAddress: (fileId: string) => string
  /** Completed after `{{`. */
  placeholders?: () => readonly Placeholder[]
}

/** Handle of an open editor. */
export interface OpenEditor {
  text: () => string
  /** Starts to record input, until the server responds. */
  beginSave: () => void
  /** Replaces the sent text with the server's merge, and keeps input since then. */
  endSave: (sent: string, stored: string) => void
  insert: (text: string) => void
  /** Inserts the text on separate lines. */
  insertBlock: (text: string) => void
  wrap: (before: string, after: string) => void
  prefixLines: (prefix: string) => void
  replaceAll: (text: string) => void
  /** Selects the first occurrence of these words, and scrolls to it. @returns whether there is one */
  select: (words: string) => boolean
  /** The text with what is selected in it, as offsets. */
  selection: () => { text: string; from: number; to: number }
  focus: () => void
  close: () => void
}

const GROWING = EditorView.theme({ '&': { height: 'auto' }, '.cm-content': { minHeight: '94px' } })

const fromServer = Annotation.define<boolean>()

const THEME = EditorView.theme({
  '&': { fontSize: '14px', color: 'var(--mantine-color-text)', backgroundColor: 'transparent', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-content': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    caretColor: 'var(--mantine-color-text)',
    padding: '12px',
    lineHeight: '1.6',
  },
  '.cm-scroller': { overflow: 'auto' },
  '.cm-tooltip.cm-tooltip-autocomplete': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--app-border-strong)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family)', maxHeight: '320px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '5px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--app-selected)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
})

/** Colours of the theme: the library's defaults only suit light backgrounds. */
const MARKDOWN_STYLE = HighlightStyle.define([
  { tag: tags.heading, fontWeight: 'bold' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, textDecoration: 'underline' },
  {
    tag: [tags.url, tags.meta, tags.processingInstruction, tags.contentSeparator, tags.quote],
    color: 'var(--mantine-color-dimmed)',
  },
])

/** Toggles marks around the selection. */
const wrapSelection = (view: EditorView, before: string, after: string): void => {
  const { from, to } = view.state.selection.main
  const isWrapped =
    view.state.sliceDoc(Math.max(0, from - before.length), from) === before &&
    view.state.sliceDoc(to, to + after.length) === after
  // Bold (`**`) is not two italics (`*`).
  const isOfLonger =
    before.length === 1 &&
    view.state.sliceDoc(Math.max(0, from - 2), from) === before.repeat(2) &&
    view.state.sliceDoc(Math.max(0, from - 3), from) !== before.repeat(3)
  const changes =
    isWrapped && !isOfLonger
      ? [
          { from: from - before.length, to: from },
          { from: to, to: to + after.length },
        ]
      : [
          { from, insert: before },
          { from: to, insert: after },
        ]
  const shift = isWrapped && !isOfLonger ? -before.length : before.length
  view.dispatch({ changes, selection: { anchor: from + shift, head: to + shift } })
  view.focus()
}

/** Spreadsheets and word processors add an image of the text to the clipboard. */
const isFormattedText = (pasted: DataTransfer | null): boolean =>
  pasted !== null && pasted.types.includes('text/html') && pasted.getData('text/plain').trim() !== ''

/**
 * Creates a CodeMirror editor for Markdown in a shadow root. There it adopts its style sheets, which the
 * Content-Security-Policy allows; in the document they would be blocked.
 */
export const openEditor = (host: HTMLElement, text: string, options: EditorOptions): OpenEditor => {
  const {
    label,
    grows = false,
    onTyped,
    onFiles,
    onSave,
    onChooseFiles,
    find,
    fileAddress,
    placeholders = () => [],
  } = options
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  let typed: ChangeSet | undefined
  const files = (list: FileList | undefined): boolean => {
    if (!list || list.length === 0) return false
    onFiles([...list])
    return true
  }
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: documentOf(text),
      extensions: [
        lineEnds.init(() => lineEndsOf(text)),
        history(),
        markdown({ base: markdownLanguage }),
        syntaxHighlighting(MARKDOWN_STYLE),
        autocompletion({
          override: [slashCommands(onChooseFiles), referenceCompletion(find), placeholderCompletion(placeholders)],
          icons: false,
        }),
        decorations(fileAddress),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
        keymap.of([
          { key: 'Mod-s', run: () => (onSave(), true) },
          { key: 'Mod-b', run: (editing) => (wrapSelection(editing, '**', '**'), true) },
          { key: 'Mod-i', run: (editing) => (wrapSelection(editing, '*', '*'), true) },
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
        EditorView.domEventHandlers({
          paste: ({ clipboardData }) => !isFormattedText(clipboardData) && files(clipboardData?.files),
          // Handled here, so that the page around the editor does not offer to take the files.
          dragover: ({ dataTransfer }) => dataTransfer?.types.includes('Files') === true,
          drop: (event) => files(event.dataTransfer?.files),
        }),
        EditorView.updateListener.of(({ docChanged, changes, transactions }) => {
          if (!docChanged || transactions.some((transaction) => transaction.annotation(fromServer))) return
          if (typed) typed = typed.compose(changes)
          onTyped()
        }),
        grows ? [GROWING, THEME] : THEME,
      ],
    }),
  })
  return {
    text: () => textOf(view.state),
    beginSave: () => {
      typed = ChangeSet.empty(view.state.doc.length)
    },
    endSave: (sent, stored) => {
      const since = typed
      typed = undefined
      if (!since || sent === stored) return
      const before = withPlainEnds(sent)
      const merged = ChangeSet.of(changesBetween(before, withPlainEnds(stored)), before.length)
      view.dispatch({
        changes: merged.map(since),
        effects: setLineEnds.of(lineEndsOf(stored).map(since.map(merged, true))),
        annotations: fromServer.of(true),
      })
    },
    insert: (inserted) => view.dispatch(view.state.replaceSelection(inserted)),
    insertBlock: (block) => {
      const { to } = view.state.selection.main
      const line = view.state.doc.lineAt(to)
      const insert = line.length === 0 ? block : `\n\n${block}`
      view.dispatch({ changes: { from: line.to, insert }, selection: { anchor: line.to + insert.length } })
      view.focus()
    },
    wrap: (before, after) => wrapSelection(view, before, after),
    prefixLines: (prefix) => {
      const { from, to } = view.state.selection.main
      const { doc } = view.state
      const changes = []
      for (let number = doc.lineAt(from).number; number <= doc.lineAt(to).number; number++)
        changes.push({ from: doc.line(number).from, insert: prefix })
      view.dispatch({ changes })
      view.focus()
    },
    replaceAll: (renewed) =>
      view.dispatch({
        changes: changesBetween(view.state.doc.toString(), withPlainEnds(renewed)),
        effects: setLineEnds.of(lineEndsOf(renewed)),
        annotations: fromServer.of(true),
      }),
    select: (words) => {
      const at = view.state.doc.toString().indexOf(words)
      if (at < 0) return false
      const selection = { anchor: at, head: at + words.length }
      view.dispatch({ selection, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
      view.focus()
      return true
    },
    selection: () => {
      const { from, to } = view.state.selection.main
      const [start, end] = [from, to].map((offset) => textOf(view.state, offset).length)
      return { text: textOf(view.state), from: start as number, to: end as number }
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  }
}
