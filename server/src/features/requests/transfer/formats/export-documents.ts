import type { AuthInput } from '../../secrets.ts'
import {
  authHeader,
  bodyText,
  type Portable,
  type PortableFolder,
  sentAddress,
  unescaped,
  unescapedText,
  urlWithQuery,
} from '../portable.ts'

export const toHarEntry = (written: Portable, startedDateTime: string): object => {
  const request = unescaped(written)
  const { auth } = request
  const url = sentAddress(written)
  const header = authHeader(auth)
  // The Base64 of a variable's value is unknown, so another variable replaces it.
  const comment = `Base64 of ${auth.username}:${auth.password}`
  const basic = auth.type === 'basic' ? [{ name: 'Authorization', value: 'Basic {{credentials}}', comment }] : []
  const own = request.headers.filter(({ enabled }) => enabled).map(({ name, value }) => ({ name, value }))
  const headers = [...own, ...(header ? [header] : []), ...basic]
  const text = bodyText(request)
  const { body } = request
  const params = (body.mode === 'multipart' ? (body.parts ?? []) : [])
    .filter(({ enabled }) => enabled)
    .map(({ name, value, fileName }) => ({
      name,
      ...(value === undefined ? { fileName: fileName ?? 'file' } : { value }),
    }))
  return {
    startedDateTime,
    time: 0,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers,
      queryString: request.query
        .filter(({ enabled }) => enabled)
        .map(({ name, value }) => ({ name: unescapedText(name), value: unescapedText(value) })),
      ...(text && { postData: { mimeType: text.mediaType, text: text.text } }),
      ...(params.length > 0 && { postData: { mimeType: 'multipart/form-data', params } }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  }
}

export const toPostmanItem = (request: Portable): object => ({
  name: request.name,
  request: {
    method: request.method,
    header: request.headers.map(({ name, value, enabled }) => ({
      key: name,
      value,
      ...(!enabled && { disabled: true }),
    })),
    url: { raw: urlWithQuery({ ...request, auth: { type: 'none' } }) },
    ...(request.description !== '' && { description: request.description }),
    ...(request.body.mode !== 'none' && { body: postmanBody(request.body) }),
    ...postmanAuth(request.auth),
  },
})

const postmanBody = ({ mode, text, fields = [], parts = [] }: Portable['body']): object => {
  const row = ({ name, value, enabled }: { name: string; value?: string; enabled: boolean }) => ({
    key: name,
    value: value ?? '',
    type: value === undefined ? 'file' : 'text',
    ...(!enabled && { disabled: true }),
  })
  if (mode === 'form') return { mode: 'urlencoded', urlencoded: fields.map(row) }
  if (mode === 'multipart') return { mode: 'formdata', formdata: parts.map(row) }
  if (mode === 'file') return { mode: 'file', file: {} }
  return { mode: 'raw', raw: text ?? '', options: { raw: { language: mode === 'json' ? 'json' : 'text' } } }
}

/** Omits inherited auth, as Postman does. */
export const postmanAuth = (auth: AuthInput): object => {
  const values = (entries: Record<string, string | null | undefined>) =>
    Object.entries(entries).map(([key, value]) => ({ key, value: value ?? '', type: 'string' }))
  if (auth.type === 'inherit') return {}
  if (auth.type === 'none') return { auth: { type: 'noauth' } }
  if (auth.type === 'basic')
    return { auth: { type: 'basic', basic: values({ username: auth.username, password: auth.password }) } }
  if (auth.type === 'bearer') return { auth: { type: 'bearer', bearer: values({ token: auth.token }) } }
  return { auth: { type: 'apikey', apikey: values({ key: auth.name, value: auth.value, in: auth.type }) } }
}

export const toPostmanFolder = ({ name, auth }: PortableFolder): object => ({ name, ...postmanAuth(auth) })

/** Splits a URL into server and path; a variable at its start is the server. */
export const splitUrl = (url: string): { server: string; path: string } => {
  const [, server = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*|\{\{[^{}]{1,100}\}\})?([^?#]*)/i.exec(url) ?? []
  return { server: braced(server), path: braced(rest.startsWith('/') ? rest : `/${rest}`) }
}

/** OpenAPI puts parameters in single braces. */
const braced = (text: string): string => text.replace(/\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.-]{0,63})[ \t]*\}\}/g, '{$1}')

export const toOperation = (request: Portable, path: string): object => {
  const inPath = [...new Set([...path.matchAll(/\{([^{}]{1,100})\}/g)].map(([, name]) => name as string))]
  const parameter = (place: string, name: string, value?: string) => ({
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    schema: { type: 'string' },
    ...(value !== undefined && { example: value }),
  })
  const text = bodyText(request)
  const once = <P extends { name: string }>(pairs: readonly P[]) => [
    ...new Map(pairs.map((pair) => [pair.name, pair])).values(),
  ]
  return {
    summary: request.name,
    ...(request.description !== '' && { description: request.description }),
    parameters: [
      ...inPath.map((name) => parameter('path', name)),
      ...once(request.query).map(({ name, value }) => parameter('query', name, value)),
      ...once(request.headers).map(({ name, value }) => parameter('header', name, value)),
    ],
    ...(text && { requestBody: { content: { [text.mediaType]: { schema: {}, example: parsed(text.text) } } } }),
    responses: { default: { description: '' } },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
