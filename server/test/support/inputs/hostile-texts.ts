import { bodyOf, type JsonSchema, type Mounted } from '../walks/walk.ts'

interface HostileText {
  start: string
  /** Repeated. */
  unit: string
}

/** Texts with the highest cost for careless code: normalising, matching, splitting, counting. */
export const HOSTILE_TEXTS: Record<string, HostileText> = {
  'combining marks out of order': { start: 'a', unit: '\u0301\u0316' },
  'Hangul jamo': { start: '', unit: '\u1100\u1161\u11a8' },
  'joined emoji': { start: '', unit: '\u{1f469}\u200d' },
  'Persian letters kept apart': { start: '', unit: '\u06cc\u064b\u200c' },
  'compatibility ligatures': { start: '', unit: '\ufdfa' },
  'astral letters': { start: '', unit: '\u{1d4b3}' },
  spaces: { start: 'a', unit: ' ' },
  'at signs': { start: '', unit: 'a@' },
  'dots in a domain': { start: 'a@', unit: '.' },
  'labels in a domain': { start: 'a@', unit: '\u00e9.' },
  slashes: { start: '/o', unit: '/' },
  digits: { start: '', unit: '1' },
}

/** The maximum number of repetitions within this number of units, as `size` counts them. */
export const hostileText = (kind: string, units: number, size = (text: string) => text.length): string => {
  const { start, unit } = HOSTILE_TEXTS[kind] as HostileText
  return start + unit.repeat(Math.max(1, Math.floor((units - size(start)) / size(unit))))
}

/** Bodies that are hostile as a whole, of at most this number of bytes. */
export const hostileBodies = (bytes: number): Record<string, string> => {
  const filled = (start: string, unit: string, end: string) =>
    start + unit.repeat(Math.floor((bytes - start.length - end.length) / unit.length)) + end
  return {
    'opening brackets': filled('', '[', ''),
    'opening objects': filled('', '{"a":', ''),
    'empty objects': filled('{"name":[', '{},', '{}]}'),
    'empty lists': filled('{"name":[', '[],', '[]]}'),
    'lists 31 deep': filled('{"name":[', `${'['.repeat(29)}${']'.repeat(29)},`, '[]]}'),
    numbers: filled('{"name":[', '1,', '1]}'),
    'texts of escapes': filled('{"name":[', `"${'\\u0301'.repeat(40)}",`, '1]}'),
    'a long number': filled('{"name":', '1', '}'),
    'a long fraction': filled('{"name":0.', '1', '}'),
    'a long exponent': filled('{"name":1e', '1', '}'),
    'one key again and again': filled('{', '"name":1,', '"a":1}'),
    'long keys': filled('{', `"${'\\u0061'.repeat(80)}":1,`, '"a":1}'),
    'one long key': filled('{"', 'k', '":1}'),
    'a long text': filled('{"name":"', 'x', '"}'),
    'a text of escapes': filled('{"name":"', '\\u0301', '"}'),
    'a text of backslashes': filled('{"name":"', '\\\\', '"}'),
    'a text without end': filled('{"name":"', '\\\\', ''),
    'white space': filled('{"name":', ' ', '1}'),
    quotes: filled('', '"', ''),
    'no UTF-8': filled('{"name":"', '\u00ff', '"}').slice(0, bytes / 2),
  }
}

/** Dotted paths of the texts in a schema, except enumerated ones. */
export const textsIn = (schema: JsonSchema, path = ''): { path: string; schema: JsonSchema }[] => {
  if (schema.enum) return []
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, property]) =>
      textsIn(property, path ? `${path}.${name}` : name),
    )
  if (schema.items) return textsIn(schema.items, path)
  return [schema.type].flat().includes('string') ? [{ path, schema }] : []
}

const MARK = 'the text that is replaced'

/**
 * A body that the endpoint would accept, except for the text at this path; in JSON, with `write` making the text's JSON
 * form.
 */
export const bodyWith = (
  route: Mounted,
  path: string,
  text: string,
  write: (text: string) => string = JSON.stringify,
): string =>
  JSON.stringify(bodyOf(route, (at) => (at === path ? MARK : undefined))).replace(JSON.stringify(MARK), () =>
    write(text),
  )

/** Every UTF-16 unit as `\uXXXX`. */
export const escaped = (text: string): string =>
  `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
