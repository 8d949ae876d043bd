import { authHeader, bodyText, type Portable, sentAddress, unescaped } from '../portable.ts'

/**
 * Builds a cURL command that is safe in a POSIX shell, whatever the request contains: every word is quoted, no value
 * starts an option, and none names a file to read.
 */
export const toCurl = (written: Portable): string => {
  const request = unescaped(written)
  const { method, headers, body, auth, options } = request
  const words = ['curl', '--globoff']
  const add = (option: string, value: string) => words.push(option, quoted(value))
  // With only --request, curl would wait for the body of a HEAD response.
  if (method === 'HEAD' && body.mode === 'none') words.push('--head')
  else add('--request', method)
  const address = sentAddress(written)
  if (DOT_SEGMENT.test(address)) words.push('--path-as-is')
  add('--url', address)
  const header = authHeader(auth)
  for (const { name, value } of [...headers.filter(({ enabled }) => enabled), ...(header ? [header] : [])]) {
    // An @ would read a file, and a line break ends a header.
    if (!name.startsWith('@'))
      add('--header', value.trim() === '' ? `${oneLine(name)};` : `${oneLine(name)}: ${oneLine(value).trim()}`)
  }
  if (auth.type === 'basic') add('--user', `${auth.username}:${auth.password}`)
  const text = bodyText(request)
  const mediaType = body.mode === 'raw' && !body.mediaType ? 'text/plain; charset=utf-8' : (text?.mediaType ?? '')
  if (text && !headers.some(({ name, enabled }) => enabled && name.toLowerCase() === 'content-type'))
    add('--header', `Content-Type: ${oneLine(mediaType)}`)
  if (text) add('--data-raw', text.text)
  if (body.mode === 'file') add('--data-raw', '<a file>')
  for (const part of body.mode === 'multipart' ? (body.parts ?? []) : []) {
    const value = part.value ?? `<${part.fileName ?? 'a file'}>`
    if (!part.enabled) continue
    // Only --form takes a type, and reads no file of a value in quotes.
    if (part.mediaType && part.value !== undefined)
      add('--form', `${part.name}="${value.replace(/["\\]/g, '\\$&')}";type=${oneLine(part.mediaType)}`)
    else add('--form-string', `${part.name}=${value}`)
  }
  if (!options.verifyTls) words.push('--insecure')
  if (options.followRedirects !== 'no') words.push('--location', '--max-redirs', String(options.maxRedirects))
  if (options.httpVersion === '1.1') words.push('--http1.1')
  return words.join(' ')
}

/** In a path, also encoded: curl would resolve it. */
const DOT_SEGMENT = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i

/** Between single quotes a shell reads everything as it is. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')
