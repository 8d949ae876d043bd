import type { AuthInput } from '../../secrets.ts'
import {
  type Imported,
  type ImportedRequest,
  listIn,
  literal,
  nothingImported,
  objectIn,
  pair,
  textIn,
  withoutBoundary,
  withScheme,
} from '../imported.ts'
import { MAX_DEPTH, nameOr, textBody, usableVariables } from './common.ts'

/** `<<base>>` is a variable of Hoppscotch; braces are text. */
const variables = (text: string): string => literal(text).replace(/<<([A-Za-z_][A-Za-z0-9_.-]{0,63})>>/g, '{{$1}}')

/** Imports collections or environments of Hoppscotch: a list, or one. */
export const importHoppscotch = (file: unknown): Imported => {
  const imported = nothingImported()
  for (const each of Array.isArray(file) ? (file as unknown[]) : [file]) {
    if (Array.isArray(objectIn(each)['variables']) && !Array.isArray(objectIn(each)['requests']))
      readEnvironment(each, imported)
    else readFolder(each, null, 0, imported)
  }
  return imported
}

const readEnvironment = (environment: unknown, imported: Imported): void => {
  const found = listIn(environment, 'variables').map((variable) => ({
    name: textIn(variable, 'key') ?? '',
    value: variables(
      textIn(variable, 'value') ?? textIn(variable, 'currentValue') ?? textIn(variable, 'initialValue') ?? '',
    ),
    secret: objectIn(variable)['secret'] === true,
  }))
  imported.environments.push({
    name: nameOr(textIn(environment, 'name'), 'Environment'),
    variables: usableVariables(found, imported.problems),
  })
}

const readFolder = (folder: unknown, parent: number | null, depth: number, imported: Imported): void => {
  const name = nameOr(textIn(folder, 'name'), 'Hoppscotch')
  if (depth > MAX_DEPTH) return void imported.problems.push({ position: name, reason: 'folders are nested too deep' })
  const auth =
    authOf(objectIn(folder, 'auth'), name, imported) ?? (parent === null ? ({ type: 'none' } as const) : undefined)
  if (listIn(folder, 'headers').length > 0)
    imported.problems.push({ position: name, reason: 'headers for all requests in it are not imported' })
  imported.folders.push({ name, parent, ...(auth && { auth }) })
  const index = imported.folders.length - 1
  for (const inner of listIn(folder, 'folders')) readFolder(inner, index, depth + 1, imported)
  for (const request of listIn(folder, 'requests')) readRequest(request, index, imported)
}

const readRequest = (request: unknown, folder: number, imported: Imported): void => {
  const name = nameOr(textIn(request, 'name'), 'Request')
  const problem = (reason: string) => void imported.problems.push({ position: name, reason })
  const url = variables((textIn(request, 'endpoint') ?? '').trim())
  if (url === '') return problem('it has no address')
  const scripts = [textIn(request, 'preRequestScript'), textIn(request, 'testScript')].filter((text) => text?.trim())
  if (scripts.length > 0) problem('its scripts are kept in the description, and not run')
  const headers = listIn(request, 'headers').map((header) => fieldOf(header))
  const body = bodyOf(objectIn(request, 'body'), problem)
  const auth = authOf(objectIn(request, 'auth'), name, imported)
  imported.requests.push({
    folder,
    name,
    description: scripts
      .map((text) => text?.replace(/^/gm, '    '))
      .join('\n\n')
      .slice(0, 100_000),
    method: textIn(request, 'method') ?? 'GET',
    url: withScheme(url),
    query: listIn(request, 'params').map((param) => fieldOf(param)),
    headers: body.body?.mode === 'multipart' ? withoutBoundary(headers) : headers,
    ...body,
    ...(auth && { auth }),
  })
}

const fieldOf = (field: unknown) =>
  pair(
    variables(textIn(field, 'key') ?? ''),
    variables(textIn(field, 'value') ?? ''),
    objectIn(field)['active'] !== false,
  )

const bodyOf = (body: object, problem: (reason: string) => void): Pick<ImportedRequest, 'body'> => {
  const type = textIn(body, 'contentType')
  const content = objectIn(body)['body']
  if (type === 'multipart/form-data') {
    const parts = listIn(body, 'body').filter((part) => {
      const isFile = objectIn(part)['isFile'] === true
      if (isFile) problem(`the file of ${textIn(part, 'key') ?? 'a part'} is not in the collection`)
      return !isFile
    })
    return { body: { mode: 'multipart', parts: parts.map((part) => fieldOf(part)) } }
  }
  if (typeof content !== 'string') return {}
  if (type !== 'application/x-www-form-urlencoded') return textBody(variables(content), type)
  // A line for each field, as `name: value`; a hash switches it off.
  const fields = content.split('\n').flatMap((line) => {
    const [, off, key, value = ''] = /^\s{0,10}(#?)\s{0,10}([^:]{1,500}):\s?(.*)$/.exec(line) ?? []
    return key === undefined ? [] : [pair(variables(key.trim()), variables(value), off === '')]
  })
  return { body: { mode: 'form', fields } }
}

const authOf = (auth: object, position: string, imported: Imported): AuthInput | undefined => {
  const type = textIn(auth, 'authType')
  const of = (key: string) => variables(textIn(auth, key) ?? '')
  if (type === undefined || type === 'inherit') return undefined
  if (type === 'none' || objectIn(auth)['authActive'] === false) return { type: 'none' }
  if (type === 'basic') return { type: 'basic', username: of('username'), password: of('password') }
  if (type === 'bearer') return { type: 'bearer', token: of('token') }
  if (type === 'api-key')
    return { type: /query/i.test(of('addTo')) ? 'query' : 'header', name: of('key'), value: of('value') }
  const token = textIn(objectIn(auth, 'grantTypeInfo'), 'token') ?? ''
  if (type === 'oauth-2' && token !== '') {
    imported.problems.push({ position, reason: 'its OAuth 2 token is imported; no new token is requested' })
    return { type: 'bearer', token: variables(token) }
  }
  imported.problems.push({
    position,
    reason: `authentication by ${type.slice(0, 100)} is not imported: requests are sent without it`,
  })
  return { type: 'none' }
}
