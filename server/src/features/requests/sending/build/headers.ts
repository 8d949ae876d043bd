import { invalid } from '../../../../platform/errors.ts'

export type Header = readonly [name: string, value: string]

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// These are what a header must not contain
const FORBIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f]/
/** Headers of message framing or of the connection; the connection writes them itself. */
const NOT_SENT = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
  'http2-settings',
]

/**
 * Validates a header. Non-ASCII text is sent as UTF-8.
 *
 * @throws ApiError VALIDATION_ERROR for a line break, or a header that the protocol does not allow
 */
export const checkedHeader = (field: string, name: string, value: string): Header => {
  if (!TOKEN.test(name)) throw invalid(`${field}.name: must be a header name`)
  if (FORBIDDEN.test(value)) throw invalid(`${field}.value: must have no line breaks or other control characters`)
  if (NOT_SENT.includes(name.toLowerCase()))
    throw invalid(`${field}.name: ${name} belongs to the connection and cannot be set`)
  return [name, Buffer.from(value.trim()).toString('latin1')]
}

export const hasHeader = (headers: readonly Header[], name: string): boolean =>
  headers.some(([each]) => each.toLowerCase() === name)

export const headerValues = (headers: readonly Header[], name: string): string[] =>
  headers.flatMap(([each, value]) => (each.toLowerCase() === name.toLowerCase() ? [value] : []))

/** Decodes a header for display: UTF-8 is shown as text. */
export const shownHeader = ([name, value]: Header) => {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return { name, value: text.includes('\ufffd') ? value : text }
}
