/** A character of Markdown as its reader passes it: null at the end, negative for ends of lines and tabs. */
type Code = number | null
type State = (code: Code) => State | undefined

interface Effects {
  enter: (token: string) => void
  consume: (code: Code) => void
  exit: (token: string) => void
}

interface Tree {
  enter: (node: object, token: object) => void
  exit: (token: object) => void
  sliceSerialize: (token: object) => string
}

/** Longer ones are no title. */
const MAX_LENGTH = 400
const LEFT = 91
const RIGHT = 93
const ROUND = 40
const SPACE = 32
const EXCLAMATION = 33

/** Marks an address that was written as `[[...]]`; a fragment passes the sanitiser. */
const MARK = '#reference='
const TOKEN = 'reference'

/** @returns what stood in the brackets */
export const bracketsOf = (href: string): string | undefined => (href.startsWith(MARK) ? decodeURIComponent(href.slice(MARK.length)) : undefined)

const isEndOfLine = (code: number): boolean => code < 0 && code !== -1 && code !== -2

/** Reads `[[...]]` as one piece, so that nothing in it is Markdown: `[[www.example.com]]` is no address, `[[__init__]]` not bold. */
const tokenize = (effects: Effects, ok: State, nok: State): State => {
  let length = 0
  let hasWords = false
  const consumed =
    (next: State) =>
    (code: Code): State => {
      effects.consume(code)
      return next
    }
  // `[[1]](https://...)` is a link with brackets in its words.
  const behind: State = (code) => (code === ROUND ? nok(code) : ok(code))
  const close: State = (code) => {
    if (code !== RIGHT) return nok(code)
    effects.consume(code)
    effects.exit(TOKEN)
    return behind
  }
  const inside: State = (code) => {
    if (code === RIGHT && hasWords) return consumed(close)(code)
    if (code === null || code === LEFT || code === RIGHT || isEndOfLine(code) || ++length > MAX_LENGTH) return nok(code)
    hasWords ||= code > SPACE
    return consumed(inside)(code)
  }
  const second: State = (code) => (code === LEFT ? consumed(inside)(code) : nok(code))
  const first: State = (code) => (code === LEFT ? consumed(second)(code) : nok(code))
  return (code) => {
    effects.enter(TOKEN)
    return code === EXCLAMATION ? consumed(first)(code) : first(code)
  }
}

interface TreeNode {
  type: string
  children?: TreeNode[]
}

/** A link holds no other: what stands in its brackets is words. */
const unlinkWithinLinks = (tree: TreeNode): void => {
  const waiting: { node: TreeNode; isInLink: boolean }[] = [{ node: tree, isInLink: false }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node } = next
    const isInLink = next.isInLink || node.type === 'link'
    if (isInLink && node.children) node.children = node.children.flatMap((child) => (child.type === 'link' ? (child.children ?? []) : [child]))
    for (const child of node.children ?? []) waiting.push({ node: child, isInLink })
  }
}

/**
 * Makes a link of `[[...]]` whose address `bracketsOf` reads. Code has none.
 *
 * @param data what remark has of its extensions
 * @returns what the tree has to pass through
 */
export const readReferences = (data: { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] }): ((tree: TreeNode) => void) => {
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text: { [LEFT]: { name: TOKEN, tokenize }, [EXCLAMATION]: { name: TOKEN, tokenize } } }]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { exit: { [TOKEN]: addLink } }]
  return unlinkWithinLinks
}

function addLink(this: Tree, token: object): void {
  const written = this.sliceSerialize(token)
  const mark = written.startsWith('!') ? '!' : ''
  const target = written.slice(mark.length + 2, -2).trim()
  const add = (node: object) => {
    this.enter(node, token)
    this.exit(token)
  }
  if (mark) add({ type: 'text', value: mark })
  add({ type: 'link', title: null, url: `${MARK}${encodeURIComponent(target)}`, children: [{ type: 'text', value: target }] })
}
