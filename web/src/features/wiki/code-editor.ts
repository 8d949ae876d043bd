import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Annotation, ChangeSet, EditorState, Text } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { changesBetween } from './text-changes.ts'

export interface EditorEvents {
  /** Typed here, not by the server. */
  onTyped: () => void
  onFiles: (files: File[]) => void
  onSave: () => void
}

/** A text that is edited. */
export interface OpenEditor {
  text: () => string
  /** What is typed from now on is remembered, until the server has answered. */
  beginSave: () => void
  /** The server merged: its text takes the place of the one that was sent, and what was typed since stays. */
  endSave: (sent: string, stored: string) => void
  insert: (text: string) => void
  wrap: (before: string, after: string) => void
  prefixLines: (prefix: string) => void
  replaceAll: (text: string) => void
  focus: () => void
  close: () => void
}

const fromServer = Annotation.define<boolean>()

const THEME = EditorView.theme({
  '&': { fontSize: '14px', color: 'var(--mantine-color-text)', backgroundColor: 'transparent', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)', caretColor: 'var(--mantine-color-text)', padding: '12px', lineHeight: '1.6' },
  '.cm-scroller': { overflow: 'auto' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
})

/**
 * CodeMirror on Markdown. In a shadow root: there its styles are adopted, which the Content-Security-Policy allows; in the
 * document they would be refused.
 */
export const openEditor = (host: HTMLElement, text: string, { onTyped, onFiles, onSave }: EditorEvents): OpenEditor => {
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
      doc: text,
      extensions: [
        history(),
        markdown(),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Text of the page', spellcheck: 'true' }),
        keymap.of([{ key: 'Mod-s', run: () => (onSave(), true) }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.domEventHandlers({
          paste: (event) => files(event.clipboardData?.files),
          drop: (event) => files(event.dataTransfer?.files),
        }),
        EditorView.updateListener.of(({ docChanged, changes, transactions }) => {
          if (!docChanged || transactions.some((transaction) => transaction.annotation(fromServer))) return
          if (typed) typed = typed.compose(changes)
          onTyped()
        }),
        THEME,
      ],
    }),
  })
  return {
    text: () => view.state.doc.toString(),
    beginSave: () => {
      typed = ChangeSet.empty(view.state.doc.length)
    },
    endSave: (sent, stored) => {
      const since = typed
      typed = undefined
      if (!since || sent === stored) return
      const merged = ChangeSet.of(changesBetween(sent, stored), sent.length)
      view.dispatch({ changes: merged.map(since), annotations: fromServer.of(true) })
    },
    insert: (inserted) => view.dispatch(view.state.replaceSelection(inserted)),
    wrap: (before, after) => {
      const { from, to } = view.state.selection.main
      const changes = [
        { from, insert: before },
        { from: to, insert: after },
      ]
      view.dispatch({ changes, selection: { anchor: from + before.length, head: to + before.length } })
      view.focus()
    },
    prefixLines: (prefix) => {
      const { from, to } = view.state.selection.main
      const { doc } = view.state
      const changes = []
      for (let number = doc.lineAt(from).number; number <= doc.lineAt(to).number; number++) changes.push({ from: doc.line(number).from, insert: prefix })
      view.dispatch({ changes })
      view.focus()
    },
    replaceAll: (renewed) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: Text.of(renewed.split('\n')) }, annotations: fromServer.of(true) }),
    focus: () => view.focus(),
    close: () => view.destroy(),
  }
}
