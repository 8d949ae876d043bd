import type { AuthInput } from '../../secrets.ts'
import { ImportError, type Imported, type ImportedRequest, listIn, nothingImported, objectIn, pair, textIn, withoutBoundary, withScheme } from '../imported.ts'

const MAX_DEPTH = 19
/** For example `{{$guid}}` or `{{$randomEmail}}`. */
const MADE_BY_POSTMAN = /\{\{\$[A-Za-z]{1,50}\}\}/g
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/

/**
 * Imports a Postman collection 2.1. Its variables have our syntax; scripts are kept as text and never run. @throws ImportError
 */
export const importPostman = (file: unknown): Imported => {
  const info = objectIn(file, 'info')
  if (!Array.isArray(objectIn(file)['item'])) throw new ImportError('there are no items')
  const imported = nothingImported()
  // A collection's default is no auth.
  const auth = authOf(objectIn(file)['auth'], 'collection', imported) ?? { type: 'none' }
  tellScripts(file, 'collection', imported)
  imported.folders.push({ name: nameOr(textIn(info, 'name'), 'Collection'), parent: null, auth })
  readItems(listIn(file, 'item'), 0, 'item', 1, imported)
  const variables = listIn(file, 'variable').flatMap((variable, index) => {
    const name = textIn(variable, 'key') ?? textIn(variable, 'id') ?? ''
    if (objectIn(variable)['disabled'] === true) {
      imported.problems.push({ position: `variable ${index + 1}`, reason: `${name.slice(0, 100)} is switched off, and left out` })
      return []
    }
    if (VARIABLE_NAME.test(name)) return [{ name, value: textIn(variable, 'value') ?? '', secret: textIn(variable, 'type') === 'secret' }]
    imported.problems.push({ position: `variable ${index + 1}`, reason: 'its name is none of a variable here' })
    return []
  })
  const unique = [...new Map(variables.map((variable) => [variable.name, variable])).values()]
  if (unique.length > 0) imported.environments.push({ name: nameOr(textIn(info, 'name'), 'Collection'), variables: unique })
  return imported
}

const nameOr = (name: string | undefined, fallback: string): string => {
  const line = (name ?? '').replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').trim()
  return line.slice(0, 200).trim() || fallback
}

const readItems = (items: readonly unknown[], folder: number, at: string, depth: number, imported: Imported): void => {
  for (const [index, item] of items.entries()) {
    const position = `${at} ${index + 1}`
    const inner = objectIn(item)['item']
    if (!Array.isArray(inner)) readRequest(item, folder, position, imported)
    else if (depth >= MAX_DEPTH) imported.problems.push({ position, reason: 'folders are nested too deep' })
    else {
      const auth = authOf(objectIn(item)['auth'], position, imported)
      tellScripts(item, position, imported)
      imported.folders.push({ name: nameOr(textIn(item, 'name'), 'Folder'), parent: folder, ...(auth && { auth }) })
      readItems(inner, imported.folders.length - 1, position, depth + 1, imported)
    }
  }
}

const readRequest = (item: unknown, folder: number, position: string, imported: Imported): void => {
  const problem = (reason: string) => void imported.problems.push({ position, reason })
  const request = objectIn(item)['request']
  const written = typeof request === 'string' ? request : urlOf(objectIn(request)['url'])
  if (written === undefined || written.trim() === '') return problem('it has no request with an address')
  const url = withScheme(written.trim())
  for (const made of new Set([...JSON.stringify(request).matchAll(MADE_BY_POSTMAN)].map(([name]) => name)))
    problem(`${made} is made up by Postman, and text here`)
  const scripts = scriptsOf(item)
  if (scripts.length > 0) problem('its scripts are kept in the description, and not run')
  const description = textIn(request, 'description') ?? textIn(objectIn(request)['description'], 'content') ?? ''
  const auth = authOf(objectIn(request)['auth'], position, imported)
  const body = bodyOf(objectIn(request, 'body'), problem)
  const headers = listIn(request, 'header').map((header) =>
    pair(textIn(header, 'key') ?? '', textIn(header, 'value') ?? '', objectIn(header)['disabled'] !== true),
  )
  imported.requests.push({
    folder,
    name: nameOr(textIn(item, 'name'), url.slice(0, 200)),
    description: [description, ...scripts]
      .filter((part) => part !== '')
      .join('\n\n')
      .slice(0, 100_000),
    method: textIn(request, 'method') ?? 'GET',
    url,
    query: listIn(objectIn(request)['url'], 'query').flatMap(switchedOff),
    headers: body.body?.mode === 'multipart' ? withoutBoundary(headers) : headers,
    ...body,
    ...(auth && { auth }),
  })
}

const scriptsOf = (item: unknown): string[] =>
  listIn(item, 'event').flatMap((event) => {
    const exec = objectIn(event, 'script')['exec']
    const text = Array.isArray(exec) ? exec.filter((line) => typeof line === 'string').join('\n') : typeof exec === 'string' ? exec : ''
    return text.trim() === '' ? [] : [`${textIn(event, 'listen') ?? 'script'}:\n\n${text.replace(/^/gm, '    ')}`]
  })

/** Reports scripts of a collection or folder, which have no description to keep them in. */
const tellScripts = (item: unknown, position: string, imported: Imported): void => {
  if (scriptsOf(item).length > 0) imported.problems.push({ position, reason: 'its scripts, which run for all requests in it, are not taken over' })
}

/** Disabled parameters are not in the URL. */
const switchedOff = (parameter: unknown) =>
  objectIn(parameter)['disabled'] === true ? [pair(textIn(parameter, 'key') ?? '', textIn(parameter, 'value') ?? '', false)] : []

/** Builds the URL from its parts, if the collection omits the complete one. */
const joinedUrl = (url: unknown): string | undefined => {
  const joined = (field: string, separator: string) => textIn(url, field) ?? listIn(url, field).map(String).join(separator)
  const host = joined('host', '.')
  if (host === '') return undefined
  const [port, protocol] = [textIn(url, 'port'), textIn(url, 'protocol') ?? 'http']
  const query = listIn(url, 'query')
    .filter((parameter) => objectIn(parameter)['disabled'] !== true)
    .map((parameter) => `${textIn(parameter, 'key') ?? ''}=${textIn(parameter, 'value') ?? ''}`)
    .join('&')
  const start = host.includes('://') || host.startsWith('{{') ? host : `${protocol}://${host}`
  return `${start}${port ? `:${port}` : ''}/${joined('path', '/').replace(/^\//, '')}${query && `?${query}`}`
}

const urlOf = (url: unknown): string | undefined => {
  if (typeof url === 'string') return url
  const path = listIn(url, 'variable').reduce<string | undefined>(
    (text, variable) => {
      const key = textIn(variable, 'key')
      return key && text ? text.replaceAll(`/:${key}`, () => `/${textIn(variable, 'value') ?? ''}`) : text
    },
    textIn(url, 'raw') ?? joinedUrl(url),
  )
  return path
}

const bodyOf = (body: unknown, problem: (reason: string) => void): Pick<ImportedRequest, 'body'> => {
  const mode = textIn(body, 'mode')
  if (objectIn(body)['disabled'] === true) return {}
  if (mode === 'raw') {
    const language = textIn(objectIn(objectIn(body, 'options'), 'raw'), 'language')
    const text = textIn(body, 'raw') ?? ''
    return { body: language === 'json' ? { mode: 'json', text } : { mode: 'raw', text, ...(language === 'xml' && { mediaType: 'application/xml' }) } }
  }
  const pairs = (field: string, typeOf: (part: unknown) => string | undefined = () => undefined) =>
    listIn(body, field).flatMap((part) => {
      const mediaType = typeOf(part)
      if (textIn(part, 'type') !== 'file')
        return [{ ...pair(textIn(part, 'key') ?? '', textIn(part, 'value') ?? '', objectIn(part)['disabled'] !== true), ...(mediaType && { mediaType }) }]
      problem(`the file of ${textIn(part, 'key') ?? 'a part'} is not in the collection`)
      return []
    })
  if (mode === 'urlencoded') return { body: { mode: 'form', fields: pairs('urlencoded') } }
  if (mode === 'formdata') return { body: { mode: 'multipart', parts: pairs('formdata', (part) => textIn(part, 'contentType')) } }
  if (mode === 'graphql') return { body: { mode: 'json', text: graphqlText(objectIn(body, 'graphql')) } }
  if (mode === 'file') problem('the file of its body is not in the collection')
  return {}
}

/** GraphQL variables are stored as JSON text, and sent as JSON. */
const graphqlText = (graphql: object): string => {
  const variables = textIn(graphql, 'variables')?.trim()
  const { query, operationName } = { query: textIn(graphql, 'query') ?? '', operationName: textIn(graphql, 'operationName') }
  const head = JSON.stringify({ query, ...(operationName && { operationName }) })
  return variables ? `${head.slice(0, -1)},"variables":${variables}}` : head
}

/**
 * Returns the auth; undefined to inherit the folder's. An unknown type becomes no auth, because `inherit` would send the folder's
 * credentials to another host.
 */
const authOf = (auth: unknown, position: string, imported: Imported): AuthInput | undefined => {
  const type = textIn(auth, 'type')
  if (type === undefined && Object.keys(objectIn(auth)).length === 0) return undefined
  const fields = objectIn(auth)[type ?? '']
  // Version 2.1 uses a list of keys and values, 2.0 an object.
  const value = (key: string) =>
    (Array.isArray(fields)
      ? textIn(
          fields.find((each) => textIn(each, 'key') === key),
          'value',
        )
      : textIn(fields, key)) ?? ''
  if (type === 'noauth') return { type: 'none' }
  if (type === 'basic') return { type: 'basic', username: value('username'), password: value('password') }
  if (type === 'bearer') return { type: 'bearer', token: value('token') }
  if (type === 'apikey') return { type: value('in') === 'query' ? 'query' : 'header', name: value('key'), value: value('value') }
  const token = type === 'oauth2' && value('addTokenTo') !== 'queryParams' ? value('accessToken') : ''
  if (token !== '') {
    imported.problems.push({ position, reason: 'of its OAuth 2, the token that it holds is taken over; no new one is asked for' })
    return { type: 'bearer', token }
  }
  imported.problems.push({ position, reason: `authentication by ${(type ?? 'an unknown way').slice(0, 100)} is not taken over: nothing is sent in its place` })
  return { type: 'none' }
}
