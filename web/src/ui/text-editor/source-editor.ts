import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, gutter, GutterMarker, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** A line that a check found a problem in. */
export interface MarkedLine {
  /** From 1. */
  line: number
  level: 'error' | 'warning'
  message: string
}

export interface SourceOptions {
  /** For screen readers. */
  label: string
  isReadOnly: boolean
  onTyped: (text: string) => void
  onSave: () => void
}

/** Handle of an open editor of source text. */
export interface OpenSource {
  text: () => string
  replaceAll: (text: string) => void
  mark: (lines: readonly MarkedLine[]) => void
  /** Selects a line, and scrolls to it. */
  goTo: (line: number) => void
  close: () => void
}

const setMarks = StateEffect.define<readonly MarkedLine[]>()

class Dot extends GutterMarker {
  readonly #mark: MarkedLine

  constructor(mark: MarkedLine) {
    super()
    this.#mark = mark
  }

  override toDOM(): HTMLElement {
    const dot = document.createElement('span')
    dot.className = `cm-app-dot cm-app-${this.#mark.level}`
    dot.title = this.#mark.message
    return dot
  }
}

interface Marks {
  lines: DecorationSet
  dots: RangeSet<GutterMarker>
}

const NONE: Marks = { lines: Decoration.none, dots: RangeSet.empty }

const marksIn = (state: EditorState, marked: readonly MarkedLine[]): Marks => {
  // One mark for each line: the first, which is the worst.
  const lines = [...new Map(marked.toReversed().map((mark) => [mark.line, mark])).values()]
    .filter(({ line }) => line >= 1 && line <= state.doc.lines)
    .toSorted((a, b) => a.line - b.line)
  return {
    lines: Decoration.set(
      lines.map(({ line, level }) =>
        Decoration.line({ class: `cm-app-line-${level}` }).range(state.doc.line(line).from),
      ),
    ),
    dots: RangeSet.of(lines.map((mark) => new Dot(mark).range(state.doc.line(mark.line).from))),
  }
}

const marks = StateField.define<Marks>({
  create: () => NONE,
  update: (before, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return marksIn(transaction.state, effect.value)
    return transaction.docChanged
      ? { lines: before.lines.map(transaction.changes), dots: before.dots.map(transaction.changes) }
      : before
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ lines }) => lines),
    gutter({
      class: 'cm-app-dots',
      markers: (view) => view.state.field(field).dots,
      initialSpacer: () => new Dot({ line: 1, level: 'warning', message: '' }),
    }),
  ],
})

/** Comments, texts, numbers and words after `#` of Typst. */
const typst = StreamLanguage.define<{ isInComment: boolean }>({
  startState: () => ({ isInComment: false }),
  token: (stream, state) => {
    if (state.isInComment) {
      if (stream.skipTo('*/')) {
        stream.match('*/')
        state.isInComment = false
      } else stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) {
      state.isInComment = true
      return 'comment'
    }
    if (stream.eat('"')) {
      let isEscaped = false
      for (let next = stream.next(); next !== undefined && next !== null; next = stream.next()) {
        if (next === '"' && !isEscaped) break
        isEscaped = !isEscaped && next === '\\'
      }
      return 'string'
    }
    if (stream.match(/^#?(?:let|set|show|import|include|if|else|for|while|in|return|context|none|auto|true|false)\b/))
      return 'keyword'
    if (stream.match(/^#[A-Za-z_][\w-]*/)) return 'variableName'
    if (stream.match(/^\d+(?:\.\d+)?(?:pt|mm|cm|em|in|fr|deg|%)?/)) return 'number'
    if (stream.match(/^[A-Za-z_][\w-]*/)) return null
    stream.next()
    return null
  },
})

const STYLE = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  { tag: tags.string, color: 'light-dark(#1a6b3c, #8ad6a8)' },
  { tag: tags.keyword, color: 'light-dark(#6b3fb5, #c4a7f5)' },
  { tag: tags.number, color: 'light-dark(#9a4b00, #f0b878)' },
  { tag: tags.variableName, color: 'light-dark(#1f4fa8, #9dbcf5)' },
])

const THEME = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--mantine-color-text)', backgroundColor: 'transparent', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-content': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    caretColor: 'var(--mantine-color-text)',
    padding: '10px 12px',
    lineHeight: '1.55',
  },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mantine-font-family-monospace)' },
  '.cm-gutters': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'var(--app-sidebar)',
    borderRight: '1px solid var(--app-border)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-app-dots .cm-gutterElement': { display: 'flex', alignItems: 'center', paddingInline: '4px' },
  '.cm-app-dot': { width: '8px', height: '8px', borderRadius: '50%' },
  '.cm-app-error': { backgroundColor: 'var(--mantine-color-red-6)' },
  '.cm-app-warning': { backgroundColor: 'var(--mantine-color-yellow-6)' },
  '.cm-app-line-error': { backgroundColor: 'light-dark(#fdeaea, #401a1a)' },
  '.cm-app-line-warning': { backgroundColor: 'light-dark(#fff6db, #3a2e0c)' },
})

/** Creates an editor of Typst source in a shadow root, where its style sheets are allowed. */
export const openSource = (host: HTMLElement, text: string, options: SourceOptions): OpenSource => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  let isOwnChange = false
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        marks,
        history(),
        typst,
        syntaxHighlighting(STYLE),
        EditorState.readOnly.of(options.isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false' }),
        keymap.of([
          { key: 'Mod-s', run: () => (options.onSave(), true) },
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isOwnChange) options.onTyped(state.doc.toString())
        }),
        THEME,
      ],
    }),
  })
  return {
    text: () => view.state.doc.toString(),
    replaceAll: (renewed) => {
      isOwnChange = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: renewed } })
      isOwnChange = false
    },
    mark: (lines) => view.dispatch({ effects: setMarks.of(lines) }),
    goTo: (number) => {
      const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines))
      view.dispatch({
        selection: { anchor: line.from, head: line.to },
        effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
      })
      view.focus()
    },
    close: () => view.destroy(),
  }
}
