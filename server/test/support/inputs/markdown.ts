import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

export interface CodeBlock {
  /** The word after the fence; empty without one. */
  lang: string
  text: string
  line: number
}

/** The parts of a Markdown document that tests need. */
export interface MarkdownDocument {
  blocks: CodeBlock[]
  /** Code in the first column of tables whose first heading is "Command". */
  tableCommands: { text: string; line: number }[]
  /** Code within sentences, and in tables. */
  inlineCode: { text: string; line: number }[]
  /** Targets of links and images, as they are written. */
  links: { target: string; line: number }[]
  /** The names that `#...` may have, as GitHub makes them from headings. */
  anchors: Set<string>
}

interface Node {
  type: string
  children?: Node[]
  value?: string
  url?: string
  lang?: string | null
  position?: { start: { line: number } }
}

const parser = unified().use(remarkParse).use(remarkGfm)

/** Reads a document as GitHub does. */
export const parseMarkdown = (text: string): MarkdownDocument => {
  const document: MarkdownDocument = { blocks: [], tableCommands: [], inlineCode: [], links: [], anchors: new Set() }
  visit(parser.parse(text) as Node, document)
  return document
}

const visit = (node: Node, document: MarkdownDocument): void => {
  const line = node.position?.start.line ?? 0
  if (node.type === 'code') document.blocks.push({ lang: node.lang ?? '', text: node.value ?? '', line })
  if (node.type === 'inlineCode') document.inlineCode.push({ text: node.value ?? '', line })
  if (['link', 'image', 'definition'].includes(node.type)) document.links.push({ target: node.url ?? '', line })
  if (node.type === 'heading') document.anchors.add(freeAnchor(textOf(node), document.anchors))
  if (node.type === 'table') document.tableCommands.push(...commandsOf(node))
  for (const child of node.children ?? []) visit(child, document)
}

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join('')

/** Lower case, without punctuation, hyphens for spaces; the second of a name ends with `-1`. */
const freeAnchor = (heading: string, taken: ReadonlySet<string>): string => {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
  for (let i = 0; ; i++) {
    const candidate = i === 0 ? anchor : `${anchor}-${i}`
    if (!taken.has(candidate)) return candidate
  }
}

const commandsOf = (table: Node): MarkdownDocument['tableCommands'] => {
  const [head, ...rows] = table.children ?? []
  if (textOf(head?.children?.[0] ?? { type: '' }) !== 'Command') return []
  return rows.flatMap((row) => {
    const cell = row.children?.[0]
    return (cell?.children ?? [])
      .filter(({ type }) => type === 'inlineCode')
      .map(({ value = '', position }) => ({ text: value, line: position?.start.line ?? 0 }))
  })
}
