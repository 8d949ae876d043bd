import { MARKS, type BlockValue, type InlineValue } from '@sortie/contract/reports/report-data.ts'
import type { FootnoteDefinition, Image, ImageReference, PhrasingContent } from 'mdast'
import type { Composer, Place } from '../composer.ts'
import { embedOf } from './embeds.ts'

type Mark = (typeof MARKS)[number]

export interface Inlines {
  /** Paragraphs and the blocks that they embed, in their order. */
  paragraph: (nodes: readonly PhrasingContent[]) => BlockValue[]
  /** A heading or a cell: what it embeds follows it. */
  line: (nodes: readonly (PhrasingContent | Written)[]) => { content: InlineValue[]; embedded: BlockValue[] }
  /** The footnotes that were referred to so far, in this order. */
  footnotes: () => readonly FootnoteDefinition[]
  /** Sets the numbers of references to footnotes. */
  numberFootnotes: (start: number) => void
}

type Written = { type: 'reportWritten'; written: { type: 'reference' | 'embed' | 'placeholder'; value: string } }
type Piece = InlineValue | { embed: BlockValue }

const FILE = /^fil_[0-9a-z]{26}$/
const OBJECT = /^[a-z]{3}_[0-9a-z]{26}$/
const SAFE = /^(?:https?:\/\/|mailto:)/i

export const createInlines = (
  composer: Composer,
  place: Place,
  definitions: ReadonlyMap<string, string>,
  notes: ReadonlyMap<string, FootnoteDefinition>,
): Inlines => {
  const referred: { note: FootnoteDefinition; inlines: InlineValue[] }[] = []
  const text = (value: string, marks: readonly Mark[]): InlineValue[] =>
    composer.inline(value, place).map((inline) => (marks.length > 0 ? { ...inline, marks: [...marks] } : inline))

  const linked = (url: string, children: readonly PhrasingContent[], marks: readonly Mark[]): Piece[] => {
    if (OBJECT.test(url)) return [referenceTo(composer, url, textOf(children), place)]
    const pieces = children.flatMap((child) => piecesOf(child, marks))
    if (!SAFE.test(url)) return pieces
    return pieces.map((piece) =>
      'embed' in piece || piece.type !== 'text' ? piece : { ...piece, type: 'link', href: url },
    )
  }

  const pictured = (url: string, alt: string, marks: readonly Mark[]): Piece[] => {
    if (FILE.test(url)) return [{ embed: composer.figure(url, alt, place) }]
    // Nothing is read from elsewhere.
    const label = text(alt === '' ? url : alt, marks)
    return SAFE.test(url)
      ? label.map((piece): InlineValue => (piece.type === 'text' ? { ...piece, type: 'link', href: url } : piece))
      : label
  }

  const footnote = (identifier: string): Piece[] => {
    const note = notes.get(identifier)
    if (!note) return []
    const known = referred.find((one) => one.note === note) ?? { note, inlines: [] }
    if (known.inlines.length === 0) referred.push(known)
    const inline: InlineValue = { type: 'footnote', number: referred.indexOf(known) + 1 }
    known.inlines.push(inline)
    return [inline]
  }

  const written = ({ type, value }: Written['written'], marks: readonly Mark[]): Piece[] => {
    if (type === 'embed') return [{ embed: embedOf(composer, value, place) }]
    if (type === 'placeholder') return text(valueOf(composer, value, place), marks)
    const bar = value.indexOf('|')
    const target = (bar < 0 ? value : value.slice(0, bar)).trim()
    const label = bar < 0 ? undefined : value.slice(bar + 1).trim()
    // A wiki page by its title: pages are not part of reports.
    if (!OBJECT.test(target)) return text(label ?? target, marks)
    return [referenceTo(composer, target, label, place)]
  }

  const piecesOf = (node: PhrasingContent | Written, marks: readonly Mark[]): Piece[] => {
    switch (node.type) {
      case 'text':
        return text(onOneLine(node.value), marks)
      case 'html':
        return text(node.value, marks)
      case 'inlineCode':
        return text(node.value, withMark(marks, 'code'))
      case 'strong':
        return node.children.flatMap((child) => piecesOf(child, withMark(marks, 'bold')))
      case 'emphasis':
        return node.children.flatMap((child) => piecesOf(child, withMark(marks, 'italic')))
      case 'delete':
        return node.children.flatMap((child) => piecesOf(child, withMark(marks, 'strike')))
      case 'break':
        return [{ type: 'break' }]
      case 'link':
        return linked(node.url, node.children, marks)
      case 'linkReference':
        return linked(definitions.get(node.identifier) ?? '', node.children, marks)
      case 'image':
        return pictured(node.url, altOf(node), marks)
      case 'imageReference':
        return pictured(definitions.get(node.identifier) ?? '', altOf(node), marks)
      case 'footnoteReference':
        return footnote(node.identifier)
      case 'reportWritten':
        return written(node.written, marks)
      default:
        return []
    }
  }

  const line: Inlines['line'] = (nodes) => {
    const pieces = nodes.flatMap((node) => piecesOf(node, []))
    return {
      content: joined(pieces.flatMap((piece) => ('embed' in piece ? [] : [piece]))),
      embedded: pieces.flatMap((piece) => ('embed' in piece ? [piece.embed] : [])),
    }
  }

  return {
    line,
    paragraph: (nodes) => {
      const blocks: BlockValue[] = []
      let open: InlineValue[] = []
      const close = () => {
        const content = joined(open)
        if (content.length > 0) blocks.push({ type: 'paragraph', content })
        open = []
      }
      for (const piece of nodes.flatMap((node) => piecesOf(node, []))) {
        if ('embed' in piece) {
          close()
          blocks.push(piece.embed)
        } else open.push(piece)
      }
      close()
      return blocks
    },
    footnotes: () => referred.map(({ note }) => note),
    numberFootnotes: (start) => {
      for (const [index, { inlines }] of referred.entries()) for (const inline of inlines) inline.number = start + index
    },
  }
}

/** Lines of a paragraph as one. */
const onOneLine = (text: string): string => {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  return lines
    .map((line, index) => {
      const start = index > 0 ? line.trimStart() : line
      return index < lines.length - 1 ? start.trimEnd() : start
    })
    .join(' ')
}

const withMark = (marks: readonly Mark[], added: Mark): Mark[] =>
  MARKS.filter((mark) => mark === added || marks.includes(mark))

const textOf = (nodes: readonly PhrasingContent[]): string =>
  nodes.map((node) => ('children' in node ? textOf(node.children) : 'value' in node ? node.value : '')).join('')

const altOf = (node: Image | ImageReference): string => (node.alt ?? '').trim()

/** Joins neighbours of one kind, and removes spaces and breaks at both ends. */
const joined = (inlines: readonly InlineValue[]): InlineValue[] => {
  const result: InlineValue[] = []
  for (const inline of inlines) {
    const last = result.at(-1)
    const isSame =
      last &&
      last.type === inline.type &&
      (inline.type === 'text' || inline.type === 'link') &&
      last.href === inline.href &&
      (last.marks ?? []).join() === (inline.marks ?? []).join()
    if (last && isSame) last.text = `${last.text ?? ''}${inline.text ?? ''}`
    else result.push(inline.type === 'text' || inline.type === 'link' ? { ...inline } : inline)
  }
  return trimmed(result)
}

const trimmed = (inlines: InlineValue[]): InlineValue[] => {
  const isBlank = (inline: InlineValue | undefined) =>
    inline !== undefined &&
    (inline.type === 'break' || (inline.type === 'text' && !inline.marks && (inline.text ?? '').trim() === ''))
  let [from, to] = [0, inlines.length]
  while (from < to && isBlank(inlines[from])) from += 1
  while (to > from && isBlank(inlines[to - 1])) to -= 1
  return inlines.slice(from, to)
}

/** The words of a reference: of a finding, section or figure with its place in the report, of others their title. */
const referenceTo = (composer: Composer, id: string, label: string | undefined, place: Place): InlineValue => {
  const { sources, labels } = composer
  if (FILE.test(id)) return composer.fileReference(id, label, place)
  const named = label === undefined || label === '' || label === id ? undefined : label
  const target = sources.findings.get(id) ?? sources.sections.get(id)
  if (target) return { type: 'reference', text: composer.plain(named ?? target.text, place), target: target.anchor }
  const title = sources.titles.get(id)
  if (title !== undefined) return { type: 'text', text: composer.plain(named ?? title, place) }
  composer.note({
    code: 'broken_reference',
    place,
    quote: id,
    message: 'The text refers to something that does not exist in this report.',
  })
  return { type: 'text', text: composer.plain(named ?? `[${labels.missingReference}]`, place) }
}

const valueOf = (composer: Composer, name: string, place: Place): string => {
  const value = /^[A-Za-z][A-Za-z0-9_.]*$/.test(name) ? composer.sources.placeholder(name) : undefined
  const written = `{{${name}}}`
  if (value === undefined) {
    // Other text in braces, such as an expression of a template language.
    if (!/^[A-Za-z][A-Za-z0-9_.]*$/.test(name)) return written
    composer.note({
      code: 'unknown_placeholder',
      place,
      quote: written,
      message: `There is no placeholder ${written}.`,
    })
    return written
  }
  if (value === '')
    composer.note({
      code: 'empty_placeholder',
      place,
      quote: written,
      message: `The placeholder ${written} has no value yet.`,
    })
  return value
}
