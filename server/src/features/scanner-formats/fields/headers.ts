import { cleanLine } from '../../inventory/sightings/clean.ts'

/** In characters, of one header with all of its values: policies of content security are long. */
const MAX_VALUE = 8_192

/** Headers by name, undefined without any. Values of one name are joined by commas, as in RFC 9110 section 5.2. */
export const headersOf = (
  fields: Iterable<readonly [name: unknown, value: unknown]>,
): Record<string, string> | undefined => {
  const headers = new Map<string, string>()
  for (const [written, value] of fields) {
    const name = cleanLine(written)
    const text = cleanLine(Array.isArray(value) ? value.join(', ') : value, MAX_VALUE)
    if (name === undefined || text === undefined) continue
    const known = headers.get(name)
    headers.set(name, known === undefined ? text : `${known}, ${text}`.slice(0, MAX_VALUE))
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers)
}
