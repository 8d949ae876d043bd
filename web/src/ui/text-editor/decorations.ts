import type { Range } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view'

/** `[[Page]]`, `[text](address)` and `![name](file)`; a line at most. */
const PATTERN = /\[\[([^[\]\n]{1,400})\]\](?!\()|(!?)\[([^\]\n]{0,400})\]\(([^()\s]{1,2000})\)/g
const FILE = /^fil_[0-9a-z]{26}$/

const LINK = Decoration.mark({ class: 'cm-app-link' })
const ADDRESS = Decoration.mark({ class: 'cm-app-address' })

/** A small picture behind its Markdown. */
class Picture extends WidgetType {
  readonly #address: string
  readonly #name: string

  constructor(address: string, name: string) {
    super()
    this.#address = address
    this.#name = name
  }

  override eq(other: Picture): boolean {
    return other.#address === this.#address && other.#name === this.#name
  }

  override toDOM(): HTMLElement {
    const image = document.createElement('img')
    image.src = this.#address
    image.alt = this.#name
    image.className = 'cm-app-picture'
    image.loading = 'lazy'
    // Other files, and pictures that were deleted, show nothing.
    image.addEventListener('error', () => image.remove())
    return image
  }

  override ignoreEvent(): boolean {
    return false
  }
}

const decorate = (view: EditorView, fileAddress: (fileId: string) => string): DecorationSet => {
  const found: Range<Decoration>[] = []
  for (const { from, to } of view.visibleRanges) {
    for (const match of view.state.sliceDoc(from, to).matchAll(PATTERN)) {
      const [whole, page, picture, text = '', address = ''] = match
      const start = from + match.index
      const end = start + whole.length
      if (page !== undefined) found.push(LINK.range(start, end))
      else {
        const textFrom = start + (picture ? 2 : 1)
        if (text.length > 0) found.push(LINK.range(textFrom, textFrom + text.length))
        found.push(ADDRESS.range(textFrom + text.length, end))
        // Only pictures of the page itself: a picture of another site would tell it who reads.
        if (picture && FILE.test(address))
          found.push(Decoration.widget({ widget: new Picture(fileAddress(address), text), side: 1 }).range(end))
      }
    }
  }
  return Decoration.set(found, true)
}

/** Shows links as links and pictures of the page as pictures, while the text stays Markdown. */
export const decorations = (fileAddress: (fileId: string) => string) => [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = decorate(view, fileAddress)
      }

      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = decorate(view, fileAddress)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.theme({
    '.cm-app-link': { color: 'var(--mantine-color-anchor)', textDecoration: 'underline' },
    '.cm-app-address': { color: 'var(--mantine-color-dimmed)' },
    '.cm-app-picture': {
      display: 'block',
      maxWidth: 'min(320px, 100%)',
      maxHeight: '180px',
      margin: '4px 0',
      border: '1px solid var(--app-border)',
      borderRadius: 'var(--mantine-radius-sm)',
    },
  }),
]
