import { isLogLine, plainLine } from '../fields/noise.ts'
import { readXml } from '../readers/xml.ts'
import type { Head } from './format.ts'

const MAX_KEYS = 1_000

/** A list or an object with nothing in it, as tools write it if they find nothing. */
const NOTHING = /^[\s[\]{},]{1,1000}$/

/** Determines the shape of a file from the start of its text. */
export const headOf = async (start: string): Promise<Head> => {
  const text = start.trimStart()
  if (text === '' || NOTHING.test(text)) return { shape: 'empty' }
  if (text.startsWith('<')) {
    const root = await rootOf(start)
    if (root) return { shape: 'xml', ...root, text: start }
  }
  const { keys, isCut } = readFirstRecord(text)
  if (keys.size > 0) return { shape: 'json', keys, isCut, text: start }
  const lines = text.slice(0, 4_096).split(/\r?\n/).map(plainLine)
  return {
    shape: 'text',
    line: lines.find((line) => line !== '' && !isLogLine(line)) ?? (lines[0] as string),
    text: start,
  }
}

/** Reads the root element, after a declaration, comments and a DOCTYPE. */
const rootOf = async (start: string): Promise<{ root: string; attributes: Record<string, string> } | undefined> => {
  async function* once() {
    yield start
  }
  for await (const event of readXml(once(), () => false)) {
    if (event.type === 'open') return { root: event.element.name, attributes: event.element.attributes }
    return undefined
  }
  return undefined
}

/**
 * Reads the complete keys of the first object, and of its objects as `outer.inner`. Skips earlier lines that start
 * otherwise, such as log lines. Ignores an object within quotes, which is a cell of a CSV.
 */
const readFirstRecord = (text: string): { keys: Set<string>; isCut: boolean } => {
  const keys = new Set<string>()
  const begin = beginOfFirstRecord(text)
  if (begin < 0) return { keys, isCut: false }
  const path: string[] = []
  const kinds: string[] = []
  let key = ''
  let at = begin
  while (at < text.length && keys.size < MAX_KEYS) {
    const character = text.charAt(at)
    if (character === '"') {
      const end = endOfString(text, at)
      if (end < 0) return { keys, isCut: true }
      if (kinds.at(-1) === '{' && /^\s*:/.test(text.slice(end + 1, end + 20))) {
        key = text.slice(at + 1, end)
        if (!kinds.includes('[') && path.length < 2) keys.add([...path, key].join('.'))
      }
      at = end
    } else if (character === '{' || character === '[') {
      if (kinds.length > 0) path.push(key)
      kinds.push(character)
    } else if (character === '}' || character === ']') {
      kinds.pop()
      path.pop()
      if (kinds.length === 0) return { keys, isCut: false }
    }
    at++
  }
  return { keys, isCut: keys.size < MAX_KEYS }
}

const MAX_LOG_LINES = 1_000

const beginOfFirstRecord = (text: string): number => {
  let at = 0
  let isQuoted = false
  for (let line = 0; line < MAX_LOG_LINES && at < text.length; line++) {
    const inLine = /^[\s[,]*\{/.exec(text.slice(at, at + 1_000))
    if (inLine && !isQuoted) return at + inLine[0].length - 1
    const end = text.indexOf('\n', at)
    if (end < 0) return -1
    isQuoted = isQuoted !== (text.slice(at, end).split('"').length % 2 === 0)
    at = end + 1
  }
  return -1
}

const endOfString = (text: string, begin: number): number => {
  for (let at = begin + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === '"') return at
  }
  return -1
}
