/** Longer JSON is shown unformatted: formatting it would block the page. */
const MAX_PRETTY = 1_000_000
/** Maximum indent. Without it, a short text of brackets would become gigabytes of spaces. */
const MAX_INDENTS = 20

/** Decodes a body with the charset of its header, or UTF-8; undefined if it is not text. */
export const decode = (bytes: Uint8Array, contentType: string | undefined): string | undefined => {
  if (bytes.subarray(0, 4_096).includes(0)) return undefined
  const charset = /charset="?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes)
  } catch {
    // Unknown charset.
    return new TextDecoder().decode(bytes)
  }
}

/**
 * Formats JSON; undefined if the text is not JSON or too long. Changes only whitespace: numbers keep their digits and
 * duplicate names stay, which a parser would lose.
 */
export const prettyJson = (text: string): string | undefined => {
  if (text.length > MAX_PRETTY || !/^\s*[[{]/.test(text)) return undefined
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const parts: string[] = []
  let depth = 0
  const breakLine = () => parts.push(`\n${'  '.repeat(Math.min(depth, MAX_INDENTS))}`)
  let isEmpty = false
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+|[[\]{},:]/g)) {
    if (token === '}' || token === ']') {
      depth--
      if (!isEmpty) breakLine()
      isEmpty = false
      parts.push(token)
      continue
    }
    if (isEmpty) breakLine()
    isEmpty = token === '{' || token === '['
    parts.push(token)
    if (isEmpty) depth++
    else if (token === ',') breakLine()
    else if (token === ':') parts.push(' ')
  }
  return parts.join('')
}
