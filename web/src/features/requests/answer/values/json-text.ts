/** A piece of a line of formatted JSON. */
export interface JsonToken {
  text: string
  kind: 'name' | 'string' | 'number' | 'word' | 'sign'
}

const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)\b|([^"\-\dtfn]+|.)/g

/** Splits a line of JSON for colouring. A string that ends in another row is coloured to the end of this one. */
export const jsonTokens = (line: string): JsonToken[] => {
  const tokens: JsonToken[] = []
  for (const [text, string, colon, number, word] of line.matchAll(TOKEN)) {
    if (string !== undefined && colon !== undefined)
      tokens.push({ text: string, kind: 'name' }, { text: colon, kind: 'sign' })
    else
      tokens.push({
        text,
        kind:
          string === undefined ? (number === undefined ? (word === undefined ? 'sign' : 'word') : 'number') : 'string',
      })
  }
  return tokens
}

/** A value in a JSON text. */
export interface JsonValue {
  /** JSONPath (RFC 9535). */
  path: string
  /** As JSON. */
  json: string
  /** Name of the member; undefined in a list. */
  name: string | undefined
}

const LINE = /^\s*(?:("(?:[^"\\]|\\.)*")\s*:\s*)?(.*?),?$/s

/**
 * The string, number or word on a line of a text that `prettyJson` has formatted: each member and element is on a line
 * of its own.
 *
 * @param line from 0
 * @returns undefined for a line with only brackets
 */
export const valueOnLine = (pretty: string, line: number): JsonValue | undefined => {
  const open: { name: string | undefined; index: number; isList: boolean }[] = []
  let found: JsonValue | undefined
  for (const [number, text] of pretty.split('\n', line + 1).entries()) {
    const [, quoted, value = ''] = LINE.exec(text) ?? []
    const around = open.at(-1)
    const isClosing = value === '}' || value === ']'
    if (isClosing) {
      open.pop()
      continue
    }
    const name = quoted === undefined ? undefined : (JSON.parse(quoted) as string)
    if (around) {
      around.index += 1
      around.name = name
    }
    if (value === '{' || value === '[') open.push({ name: undefined, index: -1, isList: value === '[' })
    else if (number === line && value !== '' && !value.startsWith('{') && !value.startsWith('[')) {
      found = { path: `$${open.map(segment).join('')}`, json: value, name }
    }
  }
  return found
}

const segment = ({ name, index, isList }: { name: string | undefined; index: number; isList: boolean }): string => {
  if (isList) return `[${index}]`
  const text = name ?? ''
  return /^[A-Za-z_][\w]*$/.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`
}

/** A name for a variable with this value: the last name of its path. */
export const variableOf = ({ path, name }: JsonValue): string =>
  (name ?? path)
    .replace(/[^\w.-]+/g, '_')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, 64) || 'value'
