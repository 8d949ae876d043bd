import type { Note, PartNotes } from './footnotes.ts'

interface Node {
  type: string
  identifier?: string
  value?: string
  url?: string
  depth?: number
  start?: number | null
  data?: { hName?: string; hProperties?: Record<string, unknown> }
  children?: Node[]
}

/** Limits the back links of a note with many references. */
const MAX_BACK = 20

const text = (value: string): Node => ({ type: 'text', value })
const referenceId = (number: number, use: number) => `fnref-${number}${use > 1 ? `-${use}` : ''}`

/** Links references to notes in other parts of the text, and turns note numbers into link targets. */
export const linkNotes =
  ({ references, shown }: PartNotes) =>
  () =>
  (tree: Node): void => {
    const known = new Map(references.map((note) => [note.label, { ...note }]))
    if (known.size > 0) linkReferences(tree, known)
    const list = tree.children?.find(({ type }) => type === 'list')
    for (const [index, note] of shown.entries()) {
      const item = list?.children?.[index]
      if (item) leadBack(item, note)
    }
    if (shown[0]?.number === 1) {
      tree.children?.unshift({
        type: 'heading',
        depth: 2,
        data: { hProperties: { id: 'footnote-label' } },
        children: [text('Footnotes')],
      })
    }
  }

const linkReferences = (tree: Node, known: Map<string, Note>): void => {
  const waiting = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!node.children) continue
    node.children = node.children
      .filter(({ type, identifier }) => type !== 'footnoteDefinition' || !known.has(identifier ?? ''))
      .map((child) => {
        const note = child.type === 'footnoteReference' ? known.get(child.identifier ?? '') : undefined
        return note ? referenceTo(note) : child
      })
    // First child next: uses are counted in document order.
    waiting.push(...node.children.toReversed())
  }
}

const referenceTo = (note: Note): Node => {
  note.count++
  const id = referenceId(note.number, note.count)
  const hProperties = { id, ariaDescribedBy: ['footnote-label'] }
  const link = { type: 'link', url: `#fn-${note.number}`, data: { hProperties }, children: [text(String(note.number))] }
  return { type: 'footnoteMark', data: { hName: 'sup' }, children: [link] }
}

const leadBack = (item: Node, { number, count }: Note): void => {
  item.data = { hProperties: { id: `fn-${number}` } }
  const links = Array.from({ length: Math.min(count, MAX_BACK) }, (_, index): Node => {
    const use = index + 1
    const ariaLabel = `Back to reference ${number}${use > 1 ? `-${use}` : ''}`
    return {
      type: 'link',
      url: `#${referenceId(number, use)}`,
      data: { hProperties: { ariaLabel } },
      children: [text(use > 1 ? `↩${use}` : '↩')],
    }
  })
  const spaced = links.flatMap((link) => [text(' '), link])
  const last = item.children?.at(-1)
  if (last?.type === 'paragraph') last.children?.push(...spaced)
  else item.children?.push({ type: 'paragraph', children: spaced })
}
