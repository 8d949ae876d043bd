import { randomInt } from 'node:crypto'

/** A part of a text; `to` is exclusive. */
export interface Range {
  from: number
  to: number
}

/**
 * Longer needles are searched as blocks of this many characters, so that memory depends on their number, not on their
 * length.
 */
const BLOCK = 32
const ROOT = 0
/** Combines a node of the automaton and a character to one key. */
const KEY_FACTOR = 65_536

/**
 * Finds texts in other texts, in time linear in the length of both, whatever they contain (T2).
 *
 * A needle of more than 32 characters is found by its blocks of 32, which cover it. A part of it that contains a whole
 * block is therefore found too.
 *
 * @returns a function that finds all occurrences of all needles; ranges may overlap, and are sorted by their ends
 */
export const createFinder = (needles: readonly string[]): ((text: string) => Range[]) => {
  const findShort = automaton(needles.filter(({ length }) => length > 0 && length <= BLOCK))
  const findBlocks = blockFinder(needles.filter(({ length }) => length > BLOCK))
  return (text) => [...findShort(text), ...findBlocks(text)].toSorted((a, b) => a.to - b.to)
}

/** The automaton of Aho and Corasick (1975): one step per character of the text. */
const automaton = (needles: readonly string[]): ((text: string) => Range[]) => {
  const children = new Map<number, number>()
  /** By node: the next node if no child matches, and the length of the longest needle that ends here. */
  const fallback = [ROOT]
  const longest = [0]
  const edges: { parent: number; code: number; node: number }[] = []
  const childOf = (node: number, code: number) => children.get(node * KEY_FACTOR + code)
  const step = (from: number, code: number): number => {
    let node = from
    for (;;) {
      const child = childOf(node, code)
      if (child !== undefined) return child
      if (node === ROOT) return ROOT
      node = fallback[node] as number
    }
  }
  // Level by level, so that the nodes of shorter prefixes are complete.
  let level = needles.map((needle) => ({ needle, node: ROOT }))
  for (let depth = 0; level.length > 0; depth++) {
    const firstEdge = edges.length
    const next: typeof level = []
    for (const { needle, node: parent } of level) {
      const code = needle.charCodeAt(depth)
      let node = childOf(parent, code)
      if (node === undefined) {
        node = fallback.length
        children.set(parent * KEY_FACTOR + code, node)
        fallback.push(ROOT)
        longest.push(0)
        edges.push({ parent, code, node })
      }
      if (needle.length === depth + 1) longest[node] = depth + 1
      else next.push({ needle, node })
    }
    for (const { parent, code, node } of edges.slice(firstEdge)) {
      fallback[node] = parent === ROOT ? ROOT : step(fallback[parent] as number, code)
      longest[node] = Math.max(longest[node] as number, longest[fallback[node]] as number)
    }
    level = next
  }
  return (text) => {
    const found: Range[] = []
    let node = ROOT
    for (let at = 0; at < text.length && children.size > 0; at++) {
      node = step(node, text.charCodeAt(at))
      const length = longest[node] as number
      if (length > 0) addRange(found, at + 1 - length, at + 1)
    }
    return found
  }
}

/** Appends a range with the highest end so far, and merges it with the last one if they touch. */
const addRange = (ranges: Range[], from: number, to: number): void => {
  const last = ranges.at(-1)
  if (!last || last.to < from) return void ranges.push({ from, to })
  last.from = Math.min(last.from, from)
  last.to = to
}

/** Odd, and random in each process, so that no one can prepare texts with colliding hashes. */
const HASH_BASE = (randomInt(0x3fffffff) * 2 + 1) | 0
const HASH_BASE_TO_BLOCK = Array.from({ length: BLOCK }).reduce<number>((power) => Math.imul(power, HASH_BASE), 1)

/** Rabin and Karp (1987): a rolling hash of the last 32 characters; texts are compared only if the hash is known. */
const blockFinder = (needles: readonly string[]): ((text: string) => Range[]) => {
  const blocks = new Set(needles.flatMap(blocksOf))
  const hashes = new Set([...blocks].map((block) => hashOf(block)))
  return (text) => {
    const found: Range[] = []
    if (blocks.size === 0 || text.length < BLOCK) return found
    let hash = hashOf(text.slice(0, BLOCK))
    for (let from = 0; ; from++) {
      if (hashes.has(hash) && blocks.has(text.slice(from, from + BLOCK))) addRange(found, from, from + BLOCK)
      if (from + BLOCK >= text.length) return found
      hash =
        (Math.imul(hash, HASH_BASE) +
          text.charCodeAt(from + BLOCK) -
          Math.imul(text.charCodeAt(from), HASH_BASE_TO_BLOCK)) |
        0
    }
  }
}

/** Consecutive blocks from the start, and a last one that ends with the needle. */
const blocksOf = (needle: string): string[] =>
  Array.from({ length: Math.ceil(needle.length / BLOCK) }, (_, index) => {
    const from = Math.min(index * BLOCK, needle.length - BLOCK)
    return needle.slice(from, from + BLOCK)
  })

const hashOf = (block: string): number => {
  let hash = 0
  for (let at = 0; at < block.length; at++) hash = (Math.imul(hash, HASH_BASE) + block.charCodeAt(at)) | 0
  return hash
}
