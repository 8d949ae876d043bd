import type { AuthInput } from '../../secrets.ts'
import {
  ImportError,
  type Imported,
  type ImportedRequest,
  listIn,
  nothingImported,
  objectIn,
  pair,
  textIn,
  withoutBoundary,
  withPathValues,
  withScheme,
} from '../imported.ts'
import { MAX_DEPTH, nameOr, textBody, usableVariables } from './common.ts'

/** Imports an exported collection of Bruno, in JSON. Its variables have our syntax; scripts are never run. */
export const importBruno = (file: unknown): Imported => {
  const imported = nothingImported()
  const root = objectIn(file, 'root')
  imported.folders.push({
    name: nameOr(textIn(file, 'name'), 'Bruno'),
    parent: null,
    auth: authOf(objectIn(objectIn(root, 'request'), 'auth'), 'collection', imported) ?? { type: 'none' },
  })
  readItems(listIn(file, 'items'), 0, 1, imported)
  for (const environment of listIn(file, 'environments')) {
    const variables = listIn(environment, 'variables').flatMap((variable) => {
      const name = textIn(variable, 'name') ?? ''
      if (objectIn(variable)['enabled'] !== false)
        return [{ name, value: textIn(variable, 'value') ?? '', secret: objectIn(variable)['secret'] === true }]
      imported.problems.push({ position: `variable ${name.slice(0, 100)}`, reason: 'it is switched off, and left out' })
      return []
    })
    imported.environments.push({
      name: nameOr(textIn(environment, 'name'), 'Environment'),
      variables: usableVariables(variables, imported.problems),
    })
  }
  return imported
}

const readItems = (items: readonly unknown[], folder: number, depth: number, imported: Imported): void => {
  for (const item of items) {
    const name = nameOr(textIn(item, 'name'), 'Request')
    if (!Array.isArray(objectIn(item)['items'])) readRequest(item, folder, imported)
    else if (depth > MAX_DEPTH) imported.problems.push({ position: name, reason: 'folders are nested too deep' })
    else {
      const auth = authOf(objectIn(objectIn(objectIn(item, 'root'), 'request'), 'auth'), name, imported)
      imported.folders.push({ name, parent: folder, ...(auth && { auth }) })
      readItems(listIn(item, 'items'), imported.folders.length - 1, depth + 1, imported)
    }
  }
}

const readRequest = (item: unknown, folder: number | null, imported: Imported): void => {
  const request = objectIn(item, 'request')
  const name = nameOr(textIn(item, 'name'), 'Request')
  const problem = (reason: string) => void imported.problems.push({ position: name, reason })
  const params = listIn(request, 'params')
  const written = (textIn(request, 'url') ?? '').trim()
  if (written === '') return problem('it has no address')
  const scripts = [
    textIn(objectIn(request, 'script'), 'req'),
    textIn(objectIn(request, 'script'), 'res'),
    textIn(request, 'tests'),
  ].filter((text) => text?.trim())
  if (scripts.length > 0) problem('its scripts are kept in the description, and not run')
  const url = withPathValues(
    written,
    params
      .filter((param) => textIn(param, 'type') === 'path')
      .map((param) => ({ name: textIn(param, 'name') ?? '', value: textIn(param, 'value') ?? '' })),
  )
  const body = bodyOf(objectIn(request, 'body'), problem)
  const headers = listIn(request, 'headers').map((header) => fieldOf(header))
  const ofRequest = authOf(objectIn(request, 'auth'), name, imported)
  // Without its collection a request would get the credentials of the folder into which it is imported.
  const auth = ofRequest ?? (folder === null ? ({ type: 'none' } as const) : undefined)
  if (!ofRequest && auth && textIn(objectIn(request, 'auth'), 'mode') === 'inherit')
    problem('its collection, whose authentication it inherits, is not in the file: it is sent without it')
  imported.requests.push({
    folder,
    name,
    description: [textIn(request, 'docs'), ...scripts.map((text) => text?.replace(/^/gm, '    '))]
      .filter(Boolean)
      .join('\n\n')
      .slice(0, 100_000),
    method: textIn(request, 'method') ?? 'GET',
    url: withScheme(url),
    // Active ones are in the address, too.
    query: params
      .filter((param) => textIn(param, 'type') !== 'path' && objectIn(param)['enabled'] === false)
      .map((param) => fieldOf(param)),
    headers: body.body?.mode === 'multipart' ? withoutBoundary(headers) : headers,
    ...body,
    ...(auth && { auth }),
  })
}

const fieldOf = (field: unknown) =>
  pair(textIn(field, 'name') ?? '', textIn(field, 'value') ?? '', objectIn(field)['enabled'] !== false)

const bodyOf = (body: object, problem: (reason: string) => void): Pick<ImportedRequest, 'body'> => {
  const mode = textIn(body, 'mode') ?? 'none'
  if (mode === 'json') return textBody(textIn(body, 'json') ?? '', 'application/json')
  if (mode === 'xml') return textBody(textIn(body, 'xml') ?? '', 'application/xml')
  if (mode === 'text' || mode === 'sparql') return textBody(textIn(body, mode) ?? '', 'text/plain')
  if (mode === 'formUrlEncoded')
    return { body: { mode: 'form', fields: listIn(body, mode).map((field) => fieldOf(field)) } }
  if (mode === 'multipartForm') {
    const parts = listIn(body, mode).filter((part) => {
      const isFile = textIn(part, 'type') === 'file'
      if (isFile) problem(`the file of ${textIn(part, 'name') ?? 'a part'} is not in the collection`)
      return !isFile
    })
    return { body: { mode: 'multipart', parts: parts.map((part) => fieldOf(part)) } }
  }
  if (mode === 'graphql') {
    const { query, variables } = objectIn(body, 'graphql')
    const head = JSON.stringify({ query: typeof query === 'string' ? query : '' })
    return {
      body: {
        mode: 'json',
        text:
          typeof variables === 'string' && variables.trim() ? `${head.slice(0, -1)},"variables":${variables}}` : head,
      },
    }
  }
  if (mode !== 'none') problem(`a body of the kind ${mode.slice(0, 60)} is not imported`)
  return {}
}

const authOf = (auth: object, position: string, imported: Imported): AuthInput | undefined => {
  const mode = textIn(auth, 'mode')
  const of = (kind: string, key: string) => textIn(objectIn(auth, kind), key) ?? ''
  if (mode === undefined || mode === 'inherit') return undefined
  if (mode === 'none') return { type: 'none' }
  if (mode === 'basic') return { type: 'basic', username: of(mode, 'username'), password: of(mode, 'password') }
  if (mode === 'bearer') return { type: 'bearer', token: of(mode, 'token') }
  if (mode === 'apikey')
    return {
      type: of(mode, 'placement') === 'queryparams' ? 'query' : 'header',
      name: of(mode, 'key'),
      value: of(mode, 'value'),
    }
  imported.problems.push({
    position,
    reason: `authentication by ${mode.slice(0, 100)} is not imported: requests are sent without it`,
  })
  return { type: 'none' }
}

const BLOCK = /^([a-z][\w:-]{0,60}) ([{[])\s*$/

/** Imports one request of Bruno's own files (`.bru`), or an environment of it. @throws ImportError */
export const importBru = (text: string): Imported => {
  const blocks = blocksIn(text)
  const imported = nothingImported()
  const vars = blocks.get('vars')
  const method = [...blocks.keys()].find((name) => METHODS.has(name))
  if (method === undefined) {
    if (vars === undefined) throw new ImportError('it has neither a request nor variables of Bruno')
    imported.environments.push({
      name: 'Environment',
      variables: usableVariables(
        pairsIn(vars).map(({ name, value }) => ({ name, value, secret: false })),
        imported.problems,
      ),
    })
    return imported
  }
  const call = fieldsIn(blocks.get(method))
  const body = call.get('body') ?? 'none'
  const auth = call.get('auth') ?? 'none'
  const bodyName: Record<string, string> = { formUrlEncoded: 'form-urlencoded', multipartForm: 'multipart-form' }
  const bodyText = (blocks.get(`body:${bodyName[body] ?? body}`) ?? blocks.get('body') ?? [])
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n')
  const listed = pairsIn(blocks.get(`body:${bodyName[body] ?? body}`))
  const authFields = Object.fromEntries(fieldsIn(blocks.get(`auth:${auth}`)))
  readRequest(
    {
      name: fieldsIn(blocks.get('meta')).get('name'),
      request: {
        method: method.toUpperCase(),
        url: call.get('url'),
        headers: pairsIn(blocks.get('headers')),
        params: [
          ...pairsIn(blocks.get('params:query') ?? blocks.get('query')).map((param) => ({ ...param, type: 'query' })),
          ...pairsIn(blocks.get('params:path')).map((param) => ({ ...param, type: 'path' })),
        ],
        body: {
          mode: body,
          [body]:
            body === 'graphql'
              ? { query: bodyText, variables: (blocks.get('body:graphql:vars') ?? []).join('\n') }
              : listed.length > 0 && bodyName[body]
                ? listed
                : bodyText,
        },
        auth: { mode: auth, [auth]: authFields },
        script: {
          req: (blocks.get('script:pre-request') ?? []).join('\n'),
          res: (blocks.get('script:post-response') ?? []).join('\n'),
        },
        tests: (blocks.get('tests') ?? []).join('\n'),
        docs: (blocks.get('docs') ?? []).map((line) => line.trim()).join('\n'),
      },
    },
    null,
    imported,
  )
  return imported
}

const METHODS = new Set(['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'connect', 'trace'])

/** Lines by block. A block ends with a brace at the start of a line. */
const blocksIn = (text: string): Map<string, string[]> => {
  const blocks = new Map<string, string[]>()
  let open: string[] | undefined
  for (const line of text.split(/\r?\n/)) {
    const begin = open ? undefined : BLOCK.exec(line)?.[1]
    if (begin !== undefined) blocks.set(begin, (open = []))
    else if (/^[}\]]\s*$/.test(line)) open = undefined
    else open?.push(line)
  }
  return blocks
}

const pairsIn = (lines: readonly string[] = []) =>
  lines.flatMap((line) => {
    const [, off, name, value = ''] = /^\s*(~?)([^:\s][^:]{0,200}):\s?(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name: name.trim(), value: value.trim(), enabled: off === '' }]
  })

const fieldsIn = (lines: readonly string[] = []): Map<string, string> =>
  new Map(pairsIn(lines).map(({ name, value }) => [name, value]))
