import { type Header, headerValues } from './headers.ts'

/**
 * The address that a written `Host` header names, with the path of the request: on shared hosting and content networks it
 * decides where a request ends up, whatever address it is sent to (finding S14).
 *
 * @returns null without the header, undefined for a value that names no host
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
