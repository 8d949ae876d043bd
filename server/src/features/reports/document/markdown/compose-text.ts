import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import type { BlockContent, DefinitionContent, FootnoteDefinition, List, Root, RootContent, Table } from 'mdast'
import type { Composer, Place } from '../composer.ts'
import { createInlines, type Inlines } from './inlines.ts'
import { parseMarkdown } from './parse.ts'

export interface TextOptions {
  place: Place
  /** Level of the heading that the text is below: its own headings begin one level deeper. */
  level: number
  /** Whether `{{name}}` is a placeholder. */
  hasPlaceholders: boolean
}

/** Turns the Markdown of one text into blocks. Its headings are below `level`, without gaps. */
export const composeText = (composer: Composer, text: string, options: TextOptions): BlockValue[] => {
  if (text.trim() === '') return []
  const tree = parseMarkdown(text, options.hasPlaceholders)
  if (!tree) {
    composer.note({
      code: 'too_complex',
      place: options.place,
      quote: null,
      message: 'A text is too deeply nested, or has too many pieces, to format: it is shown as it was written.',
    })
    return [{ type: 'code', text: composer.plain(text, options.place) }]
  }
  return composeTree(composer, tree, options)
}

const composeTree = (composer: Composer, tree: Root, options: TextOptions): BlockValue[] => {
  const definitions = new Map<string, string>()
  const notes = new Map<string, FootnoteDefinition>()
  collect(tree, definitions, notes)
  const inlines = createInlines(composer, options.place, definitions, notes)
  const outline = createOutline(options.level)
  const blocks = blocksOf(composer, tree.children, { options, inlines, outline })
  return [...blocks, ...footnotesOf(composer, inlines, { options, inlines, outline })]
}

interface Surroundings {
  options: TextOptions
  inlines: Inlines
  outline: (depth: number) => number
}

/** Definitions of links, and footnotes, wherever they are. */
const collect = (tree: Root, definitions: Map<string, string>, notes: Map<string, FootnoteDefinition>): void => {
  const waiting: RootContent[] = [...tree.children].toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url)
    if (node.type === 'footnoteDefinition' && !notes.has(node.identifier)) notes.set(node.identifier, node)
    if ('children' in node) waiting.push(...[...node.children].toReversed())
  }
}

/** Gives the headings of a text levels without gaps: the first is directly below the text's own heading. */
const createOutline = (level: number): ((depth: number) => number) => {
  const open: number[] = []
  return (depth) => {
    while (open.length > 0 && (open.at(-1) as number) >= depth) open.pop()
    open.push(depth)
    return Math.min(6, level + open.length)
  }
}

type Content = RootContent | BlockContent | DefinitionContent

const blocksOf = (composer: Composer, nodes: readonly Content[], within: Surroundings): BlockValue[] => {
  const blocks: BlockValue[] = []
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as Content
    if (node.type === 'table') {
      const caption = captionAfter(nodes[index + 1])
      blocks.push(...tableOf(composer, node, caption, within))
      if (caption !== undefined) index += 1
    } else blocks.push(...blockOf(composer, node, within))
  }
  return blocks
}

const blockOf = (composer: Composer, node: Content, within: Surroundings): BlockValue[] => {
  const { inlines, options, outline } = within
  switch (node.type) {
    case 'paragraph':
      return inlines.paragraph(node.children)
    case 'heading': {
      const { content, embedded } = inlines.line(node.children)
      return [{ type: 'heading', level: outline(node.depth), content }, ...embedded]
    }
    case 'blockquote':
      return [quoteOf(composer, blocksOf(composer, node.children, within))]
    case 'list':
      return [listOf(composer, node, within)]
    case 'code':
      return [
        {
          type: 'code',
          ...(node.lang && { language: composer.plain(node.lang, options.place) }),
          text: composer.plain(node.value, options.place),
        },
      ]
    case 'thematicBreak':
      return [{ type: 'rule' }]
    case 'html':
      return [{ type: 'paragraph', content: composer.inline(node.value, options.place) }]
    case 'reportWritten': {
      const { content, embedded } = inlines.line([node])
      return content.length > 0 ? [{ type: 'paragraph', content }, ...embedded] : embedded
    }
    default:
      return []
  }
}

const listOf = (composer: Composer, node: List, within: Surroundings): BlockValue => {
  const isTasks = node.children.some(({ checked }) => typeof checked === 'boolean')
  return {
    type: 'list',
    ordered: node.ordered === true,
    ...(node.ordered && typeof node.start === 'number' && node.start !== 1 && { start: node.start }),
    ...(isTasks && { checked: node.children.map(({ checked }) => checked ?? null) }),
    items: node.children.map(({ children }) => blocksOf(composer, children, within)),
  }
}

const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const

/** A quote, or a callout if it begins with `[!NOTE]`. */
const quoteOf = (composer: Composer, blocks: BlockValue[]): BlockValue => {
  const [first, ...rest] = blocks
  const [head, ...tail] = first?.type === 'paragraph' ? (first.content ?? []) : []
  const text = head?.type === 'text' && !head.marks ? (head.text ?? '') : ''
  const kind = CALLOUTS.find((name) => text.toLowerCase().startsWith(`[!${name}]`))
  if (!kind) return { type: 'quote', items: [blocks] }
  const left = text.slice(kind.length + 3).trimStart()
  const content = left === '' ? tail : [{ ...head, type: 'text' as const, text: left }, ...tail]
  const trimmed = content[0]?.type === 'break' ? content.slice(1) : content
  const items = trimmed.length > 0 ? [{ type: 'paragraph' as const, content: trimmed }, ...rest] : rest
  return { type: 'callout', kind, items: [items] }
}

/** A paragraph `Table: words` after a table is its caption. */
const captionAfter = (node: Content | undefined): string | undefined => {
  const [first, ...more] = node?.type === 'paragraph' ? node.children : []
  if (first?.type !== 'text' || more.length > 0 || first.value.includes('\n')) return undefined
  return first.value.startsWith('Table: ') ? first.value.slice('Table: '.length).trim() : undefined
}

const tableOf = (composer: Composer, node: Table, caption: string | undefined, within: Surroundings): BlockValue[] => {
  const { inlines, options } = within
  const embedded: BlockValue[] = []
  const cells = node.children.map((row) =>
    row.children.map((cell) => {
      const line = inlines.line(cell.children)
      embedded.push(...line.embedded)
      return line.content
    }),
  )
  const [head = [], ...rows] = cells
  const table: BlockValue = {
    type: 'table',
    columns: head.map((title, index) => ({ align: node.align?.[index] ?? 'left', title })),
    rows: rows.map((row) => head.map((_, index) => row[index] ?? [])),
    ...(caption !== undefined && { ...composer.nextTable(), caption: composer.inline(caption, options.place) }),
  }
  return [table, ...embedded]
}

/** The footnotes that the text refers to, in the order of their numbers. */
const footnotesOf = (composer: Composer, inlines: Inlines, within: Surroundings): BlockValue[] => {
  const items: BlockValue[][] = []
  // A footnote may refer to another one.
  for (let next = inlines.footnotes()[items.length]; next; next = inlines.footnotes()[items.length])
    items.push(blocksOf(composer, next.children, within))
  if (items.length === 0) return []
  const start = composer.nextFootnotes(items.length)
  inlines.numberFootnotes(start)
  return [{ type: 'footnotes', start, items }]
}
