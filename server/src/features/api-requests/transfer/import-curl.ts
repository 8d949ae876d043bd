import type { AuthInput } from '../secrets.ts'
import { splitCommands } from './curl-words.ts'
import { ImportError, type Imported, type ImportedRequest, literal, nothingImported, pair } from './imported.ts'

/** Options of cURL that take a value, by the name that is worked with. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  '-X': 'method',
  '--request': 'method',
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-ascii': 'data',
  '--data-raw': 'raw',
  '--data-binary': 'binary',
  '--data-urlencode': 'urlencode',
  '--json': 'json',
  '-F': 'form',
  '--form': 'form',
  '--form-string': 'form-string',
  '-u': 'user',
  '--user': 'user',
  '-A': 'agent',
  '--user-agent': 'agent',
  '-e': 'referer',
  '--referer': 'referer',
  '-b': 'cookie',
  '--cookie': 'cookie',
  '--url': 'url',
  '-m': 'time',
  '--max-time': 'time',
  '--max-redirs': 'redirects',
  '--oauth2-bearer': 'bearer',
}
const SWITCHES: Readonly<Record<string, string>> = {
  '-G': 'get',
  '--get': 'get',
  '-I': 'head',
  '--head': 'head',
  '-k': 'insecure',
  '--insecure': 'insecure',
  '-L': 'follow',
  '--location': 'follow',
  '--http1.1': 'http1',
  '--compressed': 'compressed',
}
/** They say how cURL behaves, and nothing about the request. */
const SILENT = [
  '-s',
  '--silent',
  '-S',
  '--show-error',
  '-i',
  '--include',
  '-v',
  '--verbose',
  '-f',
  '--fail',
  '-g',
  '--globoff',
  '-#',
  '--progress-bar',
  '-N',
  '--no-buffer',
  '--http2',
  '--path-as-is',
]
/** With a value that says nothing about the request either. */
const SILENT_WITH_VALUE = ['-o', '--output', '-w', '--write-out', '--connect-timeout', '--retry', '--stderr', '-D', '--dump-header', '-c', '--cookie-jar']
/** They read files of whoever runs cURL: none of the server is read. */
const FROM_FILES = ['-T', '--upload-file', '-K', '--config', '--cert', '-E', '--key', '--cacert', '--netrc-file']

/** @throws ImportError for a text without a command */
export const importCurl = (text: string): Imported => {
  const imported = nothingImported()
  const commands = splitCommands(text).filter((words) => /(?:^|[/\\])curl(?:\.exe)?$/i.test(words[0] ?? ''))
  if (commands.length === 0) throw new ImportError('there is no curl command')
  for (const [index, words] of commands.entries()) {
    const position = `command ${index + 1}`
    const problem = (reason: string) => void imported.problems.push({ position, reason })
    const request = readCommand(words.slice(1), problem)
    if (request) imported.requests.push(request)
  }
  return imported
}

type Options = Map<string, string[]>

const readCommand = (words: readonly string[], problem: (reason: string) => void): ImportedRequest | undefined => {
  const options = readOptions(words, problem)
  const all = (name: string) => options.get(name) ?? []
  const [url, ...more] = all('url')
  if (url === undefined) {
    problem('it names no address')
    return undefined
  }
  if (more.length > 0) problem(`only the first of ${more.length + 1} addresses is taken`)
  const headers = all('header').flatMap((line) => {
    const [, name = '', value = ''] = /^([^:;]{1,200})[:;]([^]*)$/.exec(line) ?? []
    return name === '' ? [] : [pair(literal(name.trim()), literal(value.trim()))]
  })
  for (const [name, value] of [
    ['User-Agent', all('agent')[0]],
    ['Referer', all('referer')[0]],
    ['Cookie', all('cookie')[0]],
  ] as const) {
    if (value !== undefined) headers.push(pair(name, literal(value)))
  }
  const body = bodyOf(options, headers, problem)
  const isGet = options.has('get')
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`
  const inQuery = isGet && body?.text ? `${address}${address.includes('?') ? '&' : '?'}${body.text}` : address
  const auth = authOf(options)
  const seconds = Number(all('time')[0])
  return {
    folder: null,
    name: nameOf(inQuery),
    method: all('method')[0] ?? (options.has('head') ? 'HEAD' : body && !isGet ? 'POST' : 'GET'),
    url: literal(inQuery),
    headers: options.has('compressed') ? [...headers, pair('Accept-Encoding', 'gzip, deflate, br')] : headers,
    ...(body && !isGet && { body: body.body }),
    ...(auth && { auth }),
    options: {
      ...(options.has('insecure') && { verifyTls: false }),
      ...(options.has('follow') && { followRedirects: 'yes' as const }),
      ...(options.has('http1') && { httpVersion: '1.1' as const }),
      ...(seconds > 0 && { timeoutMs: Math.min(120_000, Math.max(1, Math.round(seconds * 1000))) }),
    },
  }
}

/** The path is what people tell requests apart by. */
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
    // `-XPOST` and `-sSL` are written together.
    const isLong = word.startsWith('--')
    const flag = isLong ? (word.split('=', 1)[0] as string) : word.slice(0, 2)
    const joined = isLong ? (word.includes('=') ? word.slice(flag.length + 1) : undefined) : word.slice(2) || undefined
    const value = () => joined ?? words[++at] ?? ''
    if (flag in WITH_VALUE) add(WITH_VALUE[flag] as string, value())
    else if (SILENT_WITH_VALUE.includes(flag)) value()
    else if (FROM_FILES.includes(flag)) {
      value()
      problem(`${flag}: files are not read`)
    } else if (flag in SWITCHES || SILENT.includes(flag)) {
      if (flag in SWITCHES) add(SWITCHES[flag] as string, '')
      if (!isLong && joined !== undefined) {
        add('switches', `-${joined}`)
        for (const letter of joined) if (`-${letter}` in SWITCHES) add(SWITCHES[`-${letter}`] as string, '')
      }
    } else {
      problem(`${flag}: is not taken over`)
      if (joined === undefined && words[at + 1] !== undefined && !/^(?:-|https?:)/.test(words[at + 1] as string) && !isLong) at++
    }
  }
  return options
}

type Headers = ReturnType<typeof pair>[]
type CurlBody = { body: NonNullable<ImportedRequest['body']>; text: string }

const bodyOf = (options: Options, headers: Headers, problem: (reason: string) => void): CurlBody | undefined => {
  const parts = [...(options.get('form') ?? []), ...(options.get('form-string') ?? [])]
  if (parts.length > 0) return { body: { mode: 'multipart', parts: parts.flatMap((part) => formPart(part, problem)) }, text: '' }
  const json = options.get('json')
  const plain = ['data', 'raw', 'binary'].flatMap((name) =>
    (options.get(name) ?? []).flatMap((value) => {
      if (name === 'raw' || !value.startsWith('@')) return [value]
      problem('--data @file: files are not read')
      return []
    }),
  )
  const encoded = (options.get('urlencode') ?? []).map((value) => {
    const equals = value.indexOf('=')
    return equals > 0 ? `${value.slice(0, equals)}=${encodeURIComponent(value.slice(equals + 1))}` : encodeURIComponent(value.slice(equals === 0 ? 1 : 0))
  })
  if (json) {
    if (!headers.some(({ name }) => name.toLowerCase() === 'accept')) headers.push(pair('Accept', 'application/json'))
    return { body: { mode: 'json', text: literal(json.join('')) }, text: json.join('') }
  }
  if (plain.length + encoded.length === 0)
    return options.has('data') || options.has('binary') ? { body: { mode: 'raw', text: '', mediaType: FORM }, text: '' } : undefined
  const text = [...plain, ...encoded].join('&')
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value
  return { body: /json/i.test(type ?? '') ? { mode: 'json', text: literal(text) } : { mode: 'raw', text: literal(text), mediaType: type ?? FORM }, text }
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
  return [{ name: literal(name), value: literal(text), enabled: true, ...(type && { mediaType: type }) }]
}

const authOf = (options: Options): AuthInput | undefined => {
  const [user] = options.get('user') ?? []
  const [bearer] = options.get('bearer') ?? []
  if (bearer !== undefined) return { type: 'bearer', token: bearer }
  if (user === undefined) return undefined
  const colon = user.indexOf(':')
  return { type: 'basic', username: colon < 0 ? user : user.slice(0, colon), password: colon < 0 ? '' : user.slice(colon + 1) }
}
