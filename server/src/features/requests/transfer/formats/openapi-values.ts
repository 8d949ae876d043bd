import { textIn } from '../imported.ts'

/** A field of a query, a form or a cookie, as it is sent. */
interface Field {
  name: string
  value: string
}

/** The serialization of a value (OpenAPI 3.1.1, section 4.12.2.2.2). */
interface Style {
  style: string
  explode: boolean
}

/** Returns the style of a parameter or an encoding, else the default of its place. */
export const styleOf = (written: unknown, place: 'query' | 'cookie' | 'path' | 'header' | 'form'): Style => {
  const style = textIn(written, 'style') ?? (place === 'path' || place === 'header' ? 'simple' : 'form')
  const explode = textIn(written, 'explode')
  return { style, explode: explode === undefined ? style === 'form' || style === 'deepObject' : explode === 'true' }
}

/** Formats a single value as text. */
export const plain = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `R,100,G,200`, or `R=100,G=200` if exploded. */
const joinedObject = (value: Record<string, unknown>, separator: string, explode: boolean): string =>
  Object.entries(value)
    .map(([name, inner]) => (explode ? `${name}=${plain(inner)}` : `${name}${separator}${plain(inner)}`))
    .join(separator)

const SEPARATORS = new Map(Object.entries({ spaceDelimited: ' ', pipeDelimited: '|' }))

/**
 * Serializes a parameter of a query, a cookie or a form: lists and objects become several fields, or one with
 * separators.
 */
export const fieldsOf = (name: string, value: unknown, { style, explode }: Style): Field[] => {
  if (style === 'deepObject' && (isObject(value) || Array.isArray(value))) return deepFields(name, value)
  const separator = SEPARATORS.get(style) ?? ','
  if (Array.isArray(value))
    return explode
      ? value.map((each) => ({ name, value: plain(each) }))
      : [{ name, value: value.map(plain).join(separator) }]
  if (!isObject(value)) return [{ name, value: plain(value) }]
  if (explode) return Object.entries(value).map(([inner, each]) => ({ name: inner, value: plain(each) }))
  return [{ name, value: joinedObject(value, separator, false) }]
}

/** `filter[name]=x`, and for a list `expand[0]=x`. */
const deepFields = (name: string, value: object): Field[] =>
  Object.entries(value).flatMap(([inner, each]) =>
    isObject(each) || Array.isArray(each)
      ? deepFields(`${name}[${inner}]`, each)
      : [{ name: `${name}[${inner}]`, value: plain(each) }],
  )

/** Serializes a parameter of a path or a header. */
export const simpleValue = (name: string, value: unknown, { style, explode }: Style): string => {
  if (style === 'label') {
    if (Array.isArray(value)) return `.${value.map(plain).join(explode ? '.' : ',')}`
    return `.${isObject(value) ? joinedObject(value, explode ? '.' : ',', explode) : plain(value)}`
  }
  if (style === 'matrix') {
    if (Array.isArray(value) && explode) return value.map((each) => `;${name}=${plain(each)}`).join('')
    if (isObject(value) && explode) return `;${joinedObject(value, ';', true)}`
    return `;${name}=${Array.isArray(value) ? value.map(plain).join(',') : isObject(value) ? joinedObject(value, ',', false) : plain(value)}`
  }
  if (Array.isArray(value)) return value.map(plain).join(',')
  return isObject(value) ? joinedObject(value, ',', explode) : plain(value)
}
