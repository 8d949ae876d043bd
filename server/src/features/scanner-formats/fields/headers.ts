import { cleanLine } from '../../inventory/sightings/clean.ts'

/** In characters: policies of content security are long. */
const MAX_VALUE = 8_192

/** Headers by name. Several of one name are joined by commas, as HTTP does; undefined without any. */
export const headersOf = (
  fields: Iterable<readonly [name: unknown, value: unknown]>,
): Record<string, string> | undefined => {
  const headers = new Map<string, string>()
  for (const [written, value] of fields) {
    const name = cleanLine(written)
    const text = cleanLine(Array.isArray(value) ? value.join(', ') : value, MAX_VALUE)
    if (name === undefined || text === undefined) continue
    const known = headers.get(name)
    headers.set(name, known === undefined ? text : `${known}, ${text}`)
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers)
}
