import type { AuthInput } from '../../secrets.ts'
import {
  ImportError,
  type Imported,
  type ImportedRequest,
  nothingImported,
  OF_CONNECTIONS,
  pair,
  variablesIn,
  withoutBoundary,
  withScheme,
} from '../imported.ts'
import { FROM_FILES, NOT_TAKEN, SILENT, SILENT_WITH_VALUE, SWITCHES, WITH_VALUE } from './curl-options.ts'
import { isForWindows, splitWindowsCommands } from './curl-words-windows.ts'
import { splitCommands } from './curl-words.ts'

/** @throws ImportError for a text without a command */
export const importCurl = (text: string): Imported => {
  const imported = nothingImported()
  const commands = (isForWindows(text) ? splitWindowsCommands(text) : splitCommands(text))
    // Drops a copied shell prompt.
    .map((words) => (words[0] === '$' ? words.slice(1) : words))
    .filter((words) => /(?:^|[/\\])curl(?:\.exe)?$/i.test(words[0] ?? ''))
  if (commands.length === 0) throw new ImportError('there is no curl command')
  for (const [index, words] of commands.entries()) {
    const position = `command ${index + 1}`
    const problem = (reason: string) => void imported.problems.push({ position, reason })
    const request = readCommand(words.slice(1), problem)
    if (!request) continue
    imported.requests.push(request)
    // Reported, because a payload may contain the same text.
    for (const name of variablesIn(words.join('\n')))
      problem(`${name} is a variable here; write \\${name} to send it as text`)
  }
  return imported
}

type Options = Map<string, string[]>

/** The redirect limit of a request. */
const MAX_REDIRECTS = 50

const readCommand = (words: readonly string[], problem: (reason: string) => void): ImportedRequest | undefined => {
  const options = readOptions(words, problem)
  const all = (name: string) => options.get(name) ?? []
  const [url, ...more] = all('url')
  if (url === undefined) {
    problem('it must have an address')
    return undefined
  }
  if (more.length > 0) problem(`only the first of ${more.length + 1} addresses is imported`)
  const headers = all('header').flatMap((line) => {
    const [, name = '', separator, value = ''] = /^([^:;]{1,200})([:;])([^]*)$/.exec(line) ?? []
    if (line.startsWith('@')) problem('--header @file: files are not read')
    else if (OF_CONNECTIONS.includes(name.trim().toLowerCase()))
      problem(`the header ${name.trim()} belongs to the connection, which writes it`)
    // `Accept:` removes a default header of cURL; an empty header ends with a semicolon.
    else if (name !== '' && (separator === ';' || value.trim() !== '')) return [pair(name.trim(), value.trim())]
    return []
  })
  for (const [name, value] of [
    ['User-Agent', all('agent')[0]],
    ['Referer', all('referer')[0]],
    ['Cookie', all('cookie')[0]],
  ] as const) {
    if (name === 'Cookie' && value !== undefined && !value.includes('='))
      problem('--cookie with the name of a file: files are not read')
    else if (value !== undefined) headers.push(pair(name, value))
  }
  const body = bodyOf(options, headers, problem)
  const isGet = options.has('get')
  const address = withScheme(url)
  const inQuery = isGet && body?.text ? `${address}${address.includes('?') ? '&' : '?'}${body.text}` : address
  const auth = authOf(options, problem)
  const seconds = Number(all('time')[0])
  const redirects = Number.parseInt(all('redirects')[0] ?? '', 10)
  const hasEncoding = headers.some(({ name }) => name.toLowerCase() === 'accept-encoding')
  return {
    folder: null,
    name: nameOf(inQuery),
    method: all('method')[0] ?? (options.has('head') ? 'HEAD' : body && !isGet ? 'POST' : 'GET'),
    url: inQuery,
    headers: [
      ...(body?.body.mode === 'multipart' && !isGet ? withoutBoundary(headers) : headers),
      ...(options.has('compressed') && !hasEncoding ? [pair('Accept-Encoding', 'gzip, deflate, br')] : []),
    ],
    ...(body && !isGet && { body: body.body }),
    auth,
    options: {
      ...(options.has('insecure') && { verifyTls: false }),
      ...(options.has('follow') && { followRedirects: 'yes' as const }),
      ...(redirects >= 0 && { maxRedirects: Math.min(MAX_REDIRECTS, redirects) }),
      ...(options.has('http1') && { httpVersion: '1.1' as const }),
      ...(seconds > 0 && { timeoutMs: Math.min(120_000, Math.max(1, Math.round(seconds * 1000))) }),
    },
  }
}

/** Users recognise requests by their path. */
export const nameOf = (url: string): string => {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1]
  return (
    (path && path !== '/' ? path : url)
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
      .slice(0, 200)
      .trim() || 'Request'
  )
}

const readOptions = (words: readonly string[], problem: (reason: string) => void): Options => {
  const options: Options = new Map()
  const add = (name: string, value: string) => options.set(name, [...(options.get(name) ?? []), value])
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (!word.startsWith('-') || word === '-') {
      add('url', word)
      continue
    }
    const next = () => words[++at] ?? ''
    if (word.startsWith('--')) {
      const [flag = ''] = word.split('=', 1)
      readOption(flag, () => (word.includes('=') ? word.slice(flag.length + 1) : next()), add, problem)
      continue
    }
    // Short options may be combined, such as `-XPOST` and `-sSL`.
    for (let letter = 1; letter < word.length; letter++) {
      const rest = word.slice(letter + 1)
      const takesRest = readOption(`-${word[letter]}`, () => rest || next(), add, problem)
      if (takesRest) break
    }
  }
  return options
}

/** @returns true if the option takes a value */
const readOption = (
  flag: string,
  value: () => string,
  add: (name: string, value: string) => void,
  problem: (reason: string) => void,
): boolean => {
  if (flag in WITH_VALUE) add(WITH_VALUE[flag] as string, value())
  else if (SILENT_WITH_VALUE.has(flag)) value()
  else if (FROM_FILES.has(flag) || NOT_TAKEN.has(flag)) {
    value()
    problem(FROM_FILES.has(flag) ? `${flag}: files are not read` : `${flag}: is not imported`)
  } else {
    if (flag in SWITCHES) add(SWITCHES[flag] as string, '')
    else if (!SILENT.has(flag)) problem(`${flag}: is not imported`)
    return false
  }
  return true
}

type Headers = ReturnType<typeof pair>[]
type CurlBody = { body: NonNullable<ImportedRequest['body']>; text: string }

const bodyOf = (options: Options, headers: Headers, problem: (reason: string) => void): CurlBody | undefined => {
  const parts = [...(options.get('form') ?? []), ...(options.get('form-string') ?? [])]
  if (parts.length > 0)
    return { body: { mode: 'multipart', parts: parts.flatMap((part) => formPart(part, problem)) }, text: '' }
  const json = options.get('json')?.filter((value) => {
    if (value.startsWith('@')) problem('--json @file: files are not read')
    return !value.startsWith('@')
  })
  const plain = ['data', 'raw', 'binary'].flatMap((name) =>
    (options.get(name) ?? []).flatMap((value) => {
      if (name === 'raw' || !value.startsWith('@')) return [value]
      problem('--data @file: files are not read')
      return []
    }),
  )
  const encoded = (options.get('urlencode') ?? []).flatMap((value) => {
    const equals = value.indexOf('=')
    if (equals < 0 && value.includes('@')) {
      problem('--data-urlencode @file: files are not read')
      return []
    }
    return equals > 0
      ? `${value.slice(0, equals)}=${encodeURIComponent(value.slice(equals + 1))}`
      : encodeURIComponent(value.slice(equals === 0 ? 1 : 0))
  })
  if (json) {
    if (!headers.some(({ name }) => name.toLowerCase() === 'accept')) headers.push(pair('Accept', 'application/json'))
    return { body: { mode: 'json', text: json.join('') }, text: json.join('') }
  }
  if (plain.length + encoded.length === 0)
    return options.has('data') || options.has('binary')
      ? { body: { mode: 'raw', text: '', mediaType: FORM }, text: '' }
      : undefined
  const text = [...plain, ...encoded].join('&')
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value
  return {
    body: /json/i.test(type ?? '') ? { mode: 'json', text } : { mode: 'raw', text, mediaType: type ?? FORM },
    text,
  }
}

const FORM = 'application/x-www-form-urlencoded'

const formPart = (part: string, problem: (reason: string) => void) => {
  const equals = part.indexOf('=')
  const [name, value] = [part.slice(0, Math.max(0, equals)), part.slice(equals + 1)]
  if (/^[@<]/.test(value)) {
    problem(`--form ${name}: files are not read`)
    return []
  }
  const [, text = value, type] = /^([^;]*);type=(.*)$/.exec(value) ?? []
  return [{ name, value: text, enabled: true, ...(type && { mediaType: type }) }]
}

/** A command without credentials sends none, so it must not inherit a folder's auth. */
const authOf = (options: Options, problem: (reason: string) => void): AuthInput => {
  const [user] = options.get('user') ?? []
  const [bearer] = options.get('bearer') ?? []
  if (bearer !== undefined) return { type: 'bearer', token: bearer }
  if (user === undefined) return { type: 'none' }
  const scheme = SCHEMES.find((name) => options.has(name))
  if (scheme !== undefined) {
    problem(`authentication by ${scheme} is not imported: requests are sent without it`)
    return { type: 'none' }
  }
  const colon = user.indexOf(':')
  return {
    type: 'basic',
    username: colon < 0 ? user : user.slice(0, colon),
    password: colon < 0 ? '' : user.slice(colon + 1),
  }
}

/** These schemes never send the password itself. */
const SCHEMES = ['digest', 'ntlm', 'negotiate']
