import type { AuthInput } from '../../secrets.ts'
import {
  type Imported,
  type ImportedRequest,
  listIn,
  nothingImported,
  objectIn,
  pair,
  textIn,
  withoutBoundary,
  withScheme,
} from '../imported.ts'
import { MAX_DEPTH, nameOr, textBody, usableVariables } from './common.ts'

/** `{{ _.base }}` is a variable of Insomnia; `{% uuid %}` is made by it for each request. */
const VARIABLE = /\{\{[ \t]{0,16}(?:_\.)?([A-Za-z_][A-Za-z0-9_.-]{0,63})[ \t]{0,16}\}\}/g
const MADE = /\{%[^%]{1,500}%\}/

const variables = (text: string): string => text.replace(VARIABLE, '{{$1}}')

/** Imports an export of Insomnia, version 4 (JSON) and 5 (YAML). @throws ImportError */
export const importInsomnia = (file: unknown): Imported => {
  const imported = nothingImported()
  if (Array.isArray(objectIn(file)['resources'])) readResources(listIn(file, 'resources'), imported)
  else readCollection(file, imported)
  return imported
}

/** Version 4: a flat list, in which each entry names its parent. */
const readResources = (resources: readonly unknown[], imported: Imported): void => {
  const children = Map.groupBy(resources, (resource) => textIn(resource, 'parentId') ?? '')
  const ids = new Set(resources.map((resource) => textIn(resource, '_id')))
  const sorted = (parent: string) =>
    (children.get(parent) ?? []).toSorted(
      (a, b) => Number(objectIn(a)['metaSortKey'] ?? 0) - Number(objectIn(b)['metaSortKey'] ?? 0),
    )
  const seen = new Set<unknown>()
  const read = (resource: unknown, folder: number | null, depth: number): void => {
    const type = textIn(resource, '_type')
    if (seen.has(resource)) return
    seen.add(resource)
    let inner = folder
    if (type === 'workspace' || type === 'request_group') {
      if (depth > MAX_DEPTH)
        return void imported.problems.push({
          position: nameOr(textIn(resource, 'name'), 'a folder'),
          reason: 'folders are nested too deep',
        })
      imported.folders.push({
        name: nameOr(textIn(resource, 'name'), 'Insomnia'),
        parent: folder,
        ...authIn(resource, folder === null, imported),
      })
      inner = imported.folders.length - 1
    } else if (type === 'request') readRequest(resource, folder, imported)
    else if (type === 'environment') readEnvironment(textIn(resource, 'name'), objectIn(resource, 'data'), imported)
    else if (type !== undefined && !SILENT.has(type)) {
      imported.problems.push({
        position: nameOr(textIn(resource, 'name'), type),
        reason: `a ${type.replaceAll('_', ' ').slice(0, 60)} is not imported`,
      })
      return
    }
    for (const child of sorted(textIn(resource, '_id') ?? ' ')) read(child, inner, depth + 1)
  }
  for (const resource of resources) if (!ids.has(textIn(resource, 'parentId'))) read(resource, null, 0)
}

const SILENT = new Set(['cookie_jar', 'api_spec'])

/** Version 5: folders hold their children. */
const readCollection = (file: unknown, imported: Imported): void => {
  imported.folders.push({ name: nameOr(textIn(file, 'name'), 'Insomnia'), parent: null, auth: { type: 'none' } })
  const read = (items: readonly unknown[], folder: number, depth: number): void => {
    for (const item of items) {
      if (!Array.isArray(objectIn(item)['children'])) readRequest(item, folder, imported)
      else if (depth > MAX_DEPTH)
        imported.problems.push({
          position: nameOr(textIn(item, 'name'), 'a folder'),
          reason: 'folders are nested too deep',
        })
      else {
        imported.folders.push({
          name: nameOr(textIn(item, 'name'), 'Folder'),
          parent: folder,
          ...authIn(item, false, imported),
        })
        read(listIn(item, 'children'), imported.folders.length - 1, depth + 1)
      }
    }
  }
  read(listIn(file, 'collection'), 0, 1)
  const environments = objectIn(file, 'environments')
  if (Object.keys(objectIn(environments, 'data')).length > 0)
    readEnvironment(textIn(environments, 'name'), objectIn(environments, 'data'), imported)
  for (const each of listIn(environments, 'subEnvironments'))
    readEnvironment(textIn(each, 'name'), objectIn(each, 'data'), imported)
}

/** Variables are any JSON; objects in them become names with dots. */
const readEnvironment = (name: string | undefined, data: object, imported: Imported): void => {
  const flat = (value: unknown, key: string, depth: number): { name: string; value: string; secret: boolean }[] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < 5)
      return Object.entries(value).flatMap(([inner, each]) => flat(each, `${key}.${inner}`, depth + 1))
    return [
      { name: key, value: typeof value === 'string' ? variables(value) : JSON.stringify(value ?? ''), secret: false },
    ]
  }
  const found = Object.entries(data).flatMap(([key, value]) => flat(value, key, 0))
  if (found.length > 0)
    imported.environments.push({
      name: nameOr(name, 'Environment'),
      variables: usableVariables(found, imported.problems),
    })
}

const readRequest = (item: unknown, folder: number | null, imported: Imported): void => {
  const name = nameOr(textIn(item, 'name'), 'Request')
  const problem = (reason: string) => void imported.problems.push({ position: name, reason })
  const url = variables((textIn(item, 'url') ?? '').trim())
  if (url === '') return problem('it has no address')
  if (MADE.test(JSON.stringify(item))) problem('tags ({% ... %}) are made by Insomnia, and imported as text')
  const headers = listIn(item, 'headers').map((header) => fieldOf(header))
  const body = bodyOf(objectIn(item, 'body'), problem)
  imported.requests.push({
    folder,
    name,
    description: textIn(item, 'description') ?? textIn(objectIn(item, 'meta'), 'description') ?? '',
    method: textIn(item, 'method') ?? 'GET',
    url: withScheme(url),
    query: listIn(item, 'parameters').map((parameter) => fieldOf(parameter)),
    headers: body.body?.mode === 'multipart' ? withoutBoundary(headers) : headers,
    ...body,
    ...authIn(item, folder === null, imported),
  })
}

const fieldOf = (field: unknown) =>
  pair(
    variables(textIn(field, 'name') ?? ''),
    variables(textIn(field, 'value') ?? ''),
    objectIn(field)['disabled'] !== true,
  )

const bodyOf = (body: object, problem: (reason: string) => void): Pick<ImportedRequest, 'body'> => {
  const type = textIn(body, 'mimeType') ?? ''
  const params = listIn(body, 'params')
  if (/^multipart\//i.test(type)) {
    const parts = params.filter((part) => {
      const isFile = textIn(part, 'type') === 'file'
      if (isFile) problem(`the file of ${textIn(part, 'name') ?? 'a part'} is not in the export`)
      return !isFile
    })
    return { body: { mode: 'multipart', parts: parts.map((part) => fieldOf(part)) } }
  }
  if (/^application\/x-www-form-urlencoded/i.test(type) && params.length > 0)
    return { body: { mode: 'form', fields: params.map((field) => fieldOf(field)) } }
  if (textIn(body, 'fileName') !== undefined) problem('the file of its body is not in the export')
  return textBody(variables(textIn(body, 'text') ?? ''), type === 'application/graphql' ? 'application/json' : type)
}

/** Without auth of its own an entry inherits that of its folder, except at the top. */
const authIn = (item: unknown, isTop: boolean, imported: Imported): { auth?: AuthInput } => {
  const auth = objectIn(item, 'authentication')
  const type = textIn(auth, 'type')
  const of = (key: string) => variables(textIn(auth, key) ?? '')
  if (type === undefined || type === '') return isTop ? { auth: { type: 'none' } } : {}
  if (type === 'none' || auth['disabled'] === true) return { auth: { type: 'none' } }
  if (type === 'basic') return { auth: { type: 'basic', username: of('username'), password: of('password') } }
  if (type === 'bearer' && of('prefix') === '') return { auth: { type: 'bearer', token: of('token') } }
  if (type === 'bearer')
    return { auth: { type: 'header', name: 'Authorization', value: `${of('prefix')} ${of('token')}` } }
  if (type === 'apikey' && of('addTo') !== 'cookie')
    return { auth: { type: of('addTo') === 'queryParams' ? 'query' : 'header', name: of('key'), value: of('value') } }
  imported.problems.push({
    position: nameOr(textIn(item, 'name'), 'an entry'),
    reason: `authentication by ${type.slice(0, 100)} is not imported: requests are sent without it`,
  })
  return { auth: { type: 'none' } }
}
