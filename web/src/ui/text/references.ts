/** A character code of the Markdown tokenizer: null at the end, negative for line endings and tabs. */
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

/** Longest possible reference. */
const MAX_LENGTH = 400
const LEFT = 91
const RIGHT = 93
const ROUND = 40
const SPACE = 32
const EXCLAMATION = 33

/** Marks a link that was written as `[[...]]`; the sanitiser keeps fragments. */
const MARK = '#reference='
const TOKEN = 'reference'

/** @returns the text between the brackets, after `!` for an embed */
export const bracketsOf = (href: string): string | undefined =>
  href.startsWith(MARK) ? decodeURIComponent(href.slice(MARK.length)) : undefined

const isEndOfLine = (code: number): boolean => code < 0 && code !== -1 && code !== -2

/**
 * Tokenizes `[[...]]` as one unit, so that nothing in it is Markdown: `[[www.example.com]]` is not a URL,
 * `[[__init__]]` is not bold.
 */
const tokenize = (effects: Effects, ok: State, nok: State): State => {
  let length = 0
  let hasWords = false
  const consumed =
    (next: State) =>
    (code: Code): State => {
      effects.consume(code)
      return next
    }
  // `[[1]](https://...)` is a link with brackets in its text.
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

/** Links cannot nest: brackets in a link's text stay text. */
const unlinkWithinLinks = (tree: TreeNode): void => {
  const waiting: { node: TreeNode; isInLink: boolean }[] = [{ node: tree, isInLink: false }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node } = next
    const isInLink = next.isInLink || node.type === 'link'
    if (isInLink && node.children)
      node.children = node.children.flatMap((child) => (child.type === 'link' ? (child.children ?? []) : [child]))
    for (const child of node.children ?? []) waiting.push({ node: child, isInLink })
  }
}

/**
 * Turns `[[...]]` into a link whose reference `bracketsOf` returns. Code stays unchanged.
 * @param data parser extensions of remark
 * @returns transformer of the tree
 */
export const readReferences = (data: {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}): ((tree: TreeNode) => void) => {
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { text: { [LEFT]: { name: TOKEN, tokenize }, [EXCLAMATION]: { name: TOKEN, tokenize } } },
  ]
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
  add({
    type: 'link',
    title: null,
    url: `${MARK}${encodeURIComponent(mark + target)}`,
    children: [{ type: 'text', value: mark + target }],
  })
}
