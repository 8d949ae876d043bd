import { authHeader, bodyText, type Portable, unescaped, urlWithQuery } from './portable.ts'

/**
 * Builds a cURL command that is safe in a POSIX shell, whatever the request contains: every word is quoted, no value starts an
 * option, and none names a file to read.
 */
export const toCurl = (written: Portable): string => {
  const request = unescaped(written)
  const { method, headers, body, auth, options } = request
  const words = ['curl', '--globoff']
  const add = (option: string, value: string) => words.push(option, quoted(value))
  // With only --request, curl would wait for the body of a HEAD response.
  if (method === 'HEAD' && body.mode === 'none') words.push('--head')
  else add('--request', method)
  add('--url', urlWithQuery(request))
  const header = authHeader(auth)
  for (const { name, value } of [...headers.filter(({ enabled }) => enabled), ...(header ? [header] : [])]) {
    // An @ would read a file, and a line break would end the header.
    if (!name.startsWith('@')) add('--header', value === '' ? `${oneLine(name)};` : `${oneLine(name)}: ${oneLine(value)}`)
  }
  if (auth.type === 'basic') add('--user', `${auth.username}:${auth.password}`)
  const text = bodyText(request)
  if (text && !headers.some(({ name, enabled }) => enabled && name.toLowerCase() === 'content-type'))
    add('--header', `Content-Type: ${oneLine(text.mediaType)}`)
  if (text) add('--data-raw', text.text)
  if (body.mode === 'file') add('--data-raw', '<a file>')
  for (const part of body.mode === 'multipart' ? (body.parts ?? []) : []) {
    if (part.enabled) add('--form-string', `${part.name}=${part.value ?? `<${part.fileName ?? 'a file'}>`}`)
  }
  if (!options.verifyTls) words.push('--insecure')
  if (options.followRedirects !== 'no') words.push('--location', '--max-redirs', String(options.maxRedirects))
  if (options.httpVersion === '1.1') words.push('--http1.1')
  return words.join(' ')
}

/** A shell expands nothing between single quotes. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')
