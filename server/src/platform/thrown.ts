import { inspect } from 'node:util'

/** Characters of what is logged of a value. */
const MAX_LENGTH = 1_000
const MAX_KEYS = 20
const MAX_DEPTH = 3
/** Names of values that no one may read. */
const SECRET = /pass|secret|token|authori[sz]ation|cookie|credential|session|api_?-?key|private/i
/** Where errors of the database carry the values of a failed statement. */
const VALUES_OF_STATEMENTS = new Set(['detail', 'where', 'parameters', 'hint', 'internalQuery', 'query'])
const MASK = '[redacted]'

/**
 * Log fields of a thrown value that is not an Error (finding O16): the job queue, for one, reports plain objects with
 * the fields of an error. Its content is bounded, and secrets are masked by their names.
 */
export const describeThrown = (thrown: unknown): { message: string; type?: string; code?: string; stack?: string } => {
  if (typeof thrown === 'string') return { message: bounded(thrown) }
  if (thrown === null || typeof thrown !== 'object') return { message: bounded(inspect(thrown)) }
  const text = (name: string): string | undefined => {
    const value = Object.getOwnPropertyDescriptor(thrown, name)?.value as unknown
    return typeof value === 'string' && value !== '' ? bounded(value) : undefined
  }
  const [type, message, code, stack] = [text('name'), text('message'), text('code'), text('stack')]
  const content = bounded(
    inspect(masked(thrown, MAX_DEPTH), {
      depth: MAX_DEPTH,
      breakLength: Number.POSITIVE_INFINITY,
      customInspect: false,
    }),
  )
  return { ...(type && { type }), message: message ?? content, ...(code && { code }), ...(stack && { stack }) }
}

const bounded = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)

/** A copy without secrets and without anything deep or long; getters are not run. */
const masked = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return bounded(value)
  if (typeof value === 'function') return '[function]'
  if (value === null || typeof value !== 'object') return value
  if (ArrayBuffer.isView(value)) return '[bytes]'
  if (depth === 0) return Array.isArray(value) ? '[array]' : '[object]'
  if (Array.isArray(value)) return value.slice(0, MAX_KEYS).map((each) => masked(each, depth - 1))
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value).slice(0, MAX_KEYS)) {
    if (VALUES_OF_STATEMENTS.has(name)) continue
    const property = Object.getOwnPropertyDescriptor(value, name)
    copy[name] = SECRET.test(name) ? MASK : property?.get ? '[getter]' : masked(property?.value, depth - 1)
  }
  return value instanceof Error ? { message: bounded(value.message), ...copy } : copy
}
