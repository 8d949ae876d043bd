import { readXml } from '../package/xml.ts'

/** A tag of a template in its place. */
export interface Tag {
  part: string
  /** Without braces: `#findings`, `@description`. */
  text: string
  /** In its part, from 1. */
  paragraph: number
  /** The words around it. */
  context: string
  /** Whether its paragraph has other words. */
  isAmongText: boolean
}

/** A brace without its counterpart. */
export interface LooseBrace extends Omit<Tag, 'text' | 'isAmongText'> {
  brace: '{' | '}'
}

const CONTEXT = 40

/** Tags and loose braces of a part, in their order. */
export const tagsIn = (part: string, xml: string): { tags: Tag[]; loose: LooseBrace[] } => {
  const tags: Tag[] = []
  const loose: LooseBrace[] = []
  paragraphsOf(xml).forEach((text, index) => {
    const contextAt = (from: number, to: number) => {
      const start = Math.max(0, from - CONTEXT)
      const end = Math.min(text.length, to + CONTEXT)
      return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
    }
    const found: { from: number; to: number }[] = []
    let open = -1
    for (let at = 0; at < text.length; at++) {
      const c = text[at]
      if (c === '{') {
        if (open !== -1) loose.push({ part, paragraph: index + 1, context: contextAt(open, open + 1), brace: '{' })
        open = at
      } else if (c === '}') {
        if (open === -1) loose.push({ part, paragraph: index + 1, context: contextAt(at, at + 1), brace: '}' })
        else found.push({ from: open, to: at + 1 })
        open = -1
      }
    }
    if (open !== -1) loose.push({ part, paragraph: index + 1, context: contextAt(open, open + 1), brace: '{' })
    const covered = found.reduce((sum, { from, to }) => sum + text.slice(from, to).trim().length, 0)
    const isAmongText = found.length > 1 || text.trim().length > covered
    for (const { from, to } of found) {
      const context = contextAt(from, to)
      tags.push({ part, text: text.slice(from + 1, to - 1), paragraph: index + 1, context, isAmongText })
    }
  })
  return { tags, loose }
}

/** Texts of the paragraphs in the order in which they begin; those of text boxes are paragraphs of their own. */
const paragraphsOf = (xml: string): string[] => {
  const paragraphs: string[] = []
  const open: number[] = []
  let isText = false
  readXml(xml, {
    open: (local) => {
      if (local === 'p') open.push(paragraphs.push('') - 1)
      if (local === 't') isText = true
    },
    close: (local) => {
      if (local === 'p') open.pop()
      if (local === 't') isText = false
    },
    text: (text) => {
      const at = open.at(-1)
      if (isText && at !== undefined) paragraphs[at] += text
    },
  })
  return paragraphs
}
