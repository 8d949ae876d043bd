import { type Header, headerValues } from './headers.ts'

/**
 * Returns the URL that a custom `Host` header names, with the path of the request. On shared hosting and content
 * delivery networks it decides where a request arrives, whatever its address (finding T14).
 *
 * @returns null without the header, undefined for a value without a valid host
 */
export const writtenHost = (url: URL, headers: readonly Header[]): URL | null | undefined => {
  const [value] = headerValues(headers, 'host')
  if (value === undefined) return null
  const text = `${url.protocol}//${value}`
  if (/[/?#@\\\s]/.test(value) || !URL.canParse(text)) return undefined
  const { hostname, port } = new URL(text)
  const named = new URL(url.href)
  named.hostname = hostname
  named.port = port
  return named
}
