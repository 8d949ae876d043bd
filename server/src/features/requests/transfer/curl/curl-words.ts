/** Splits commands into words, as a POSIX shell and bash's `$'...'` would; expands and runs nothing. */
export const splitCommands = (text: string): string[][] => {
  const commands: string[][] = []
  let words: string[] = []
  let word: string | undefined
  const endWord = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push(words)
    words = []
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '#' && word === undefined && words.length === 0) {
      // A comment; its quotes are ignored.
      at = endOf(text, '\n', at) - 1
    } else if (character === '\\') {
      // A continued line. Editors and chats may add invisible blanks after the backslash.
      const end = endOfLine(text, at + 1)
      at = end ?? at + 1
      if (end === undefined && at < text.length) word = (word ?? '') + text[at]
    } else if (character === "'") {
      const end = endOf(text, "'", at + 1)
      word = (word ?? '') + text.slice(at + 1, end)
      at = end
    } else if (character === '$' && text[at + 1] === "'") {
      const { value, end } = ansiQuoted(text, at + 2)
      word = (word ?? '') + value
      at = end
    } else if (character === '"') {
      const { value, end } = doubleQuoted(text, at + 1)
      word = (word ?? '') + value
      at = end
    } else if (character === '\n' || character === ';' || character === '|' || character === '&') endCommand()
    else if (/\s/.test(character)) endWord()
    else word = (word ?? '') + character
  }
  endCommand()
  return commands
}

const MAX_BLANKS = 100

/** Returns the end of the line if only blanks come before it. */
const endOfLine = (text: string, from: number): number | undefined => {
  let at = from
  while (at - from < MAX_BLANKS && (text[at] === ' ' || text[at] === '\t')) at++
  if (text[at] === '\r') at++
  return text[at] === '\n' ? at : undefined
}

const endOf = (text: string, quote: string, from: number): number => {
  const end = text.indexOf(quote, from)
  return end < 0 ? text.length : end
}

const doubleQuoted = (text: string, from: number): { value: string; end: number } => {
  const parts: string[] = []
  let at = from
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) {
      at++
      if (text[at] !== '\n') parts.push(text[at] as string)
    } else parts.push(text[at] as string)
  }
  return { value: parts.join(''), end: at }
}

const ANSI: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  v: '\v',
}

/** Escaped bytes are decoded together: `\xc3\xa9` is one character. */
const ansiQuoted = (text: string, from: number): { value: string; end: number } => {
  const parts: Buffer[] = []
  let at = from
  for (; at < text.length && text[at] !== "'"; at++) {
    if (text[at] !== '\\') {
      const [plain] = /^[^'\\]+/.exec(text.slice(at)) as RegExpExecArray
      parts.push(Buffer.from(plain))
      at += plain.length - 1
      continue
    }
    const [escape = '', byte, octal, ...points] =
      /^(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/.exec(
        text.slice(at + 1, at + 10),
      ) ?? []
    const point = points.find((each) => each !== undefined)
    if (byte !== undefined || octal !== undefined)
      parts.push(Buffer.from([Number.parseInt(byte ?? (octal as string), byte === undefined ? 8 : 16) & 255]))
    else if (point !== undefined) parts.push(Buffer.from(characterOf(Number.parseInt(point, 16))))
    else parts.push(Buffer.from(ANSI[text[at + 1] ?? ''] ?? text[at + 1] ?? ''))
    at += escape.length || 1
  }
  return { value: Buffer.concat(parts).toString('utf8'), end: at }
}

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '')
