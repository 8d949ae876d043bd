import { listIn, objectIn, textIn } from '../imported.ts'

type Json = Readonly<Record<string, unknown>>

/** True for a collection of Postman version 1, as its exports of all data hold them. */
export const isPostmanV1 = (file: unknown): boolean =>
  Array.isArray(objectIn(file)['requests']) && Array.isArray(objectIn(file)['order'])

/** Converts a collection of version 1, in which folders name their requests by id, to version 2.1. */
export const fromPostmanV1 = (file: unknown): Json => {
  const requests = new Map(listIn(file, 'requests').map((request) => [textIn(request, 'id'), request]))
  const folders = new Map(listIn(file, 'folders').map((folder) => [textIn(folder, 'id'), folder]))
  const placed = new Set<unknown>()
  const take = (all: ReadonlyMap<string | undefined, unknown>, ids: readonly unknown[]): unknown[] =>
    ids.flatMap((id) => {
      const found = all.get(String(id))
      if (found === undefined || placed.has(found)) return []
      placed.add(found)
      return [found]
    })
  const itemsOf = (part: unknown): Json[] => [
    ...take(folders, listIn(part, 'folders_order')).map((folder) => ({ ...common(folder), item: itemsOf(folder) })),
    ...take(requests, listIn(part, 'order')).map(itemOf),
  ]
  const ordered = itemsOf(file)
  // Older versions do not list their folders in an order; anything that no list names comes last.
  const others = take(folders, [...folders.keys()]).map((folder) => ({ ...common(folder), item: itemsOf(folder) }))
  const left = take(requests, [...requests.keys()]).map(itemOf)
  return {
    info: { name: textIn(file, 'name') },
    ...(objectIn(file)['auth'] !== undefined && { auth: objectIn(file)['auth'] }),
    event: eventsOf(file),
    variable: listIn(file, 'variables'),
    item: [...ordered, ...others, ...left],
  }
}

const common = (part: unknown): Json => ({
  name: textIn(part, 'name'),
  event: eventsOf(part),
  ...(objectIn(part)['auth'] !== undefined && { auth: objectIn(part)['auth'] }),
})

const itemOf = (request: unknown): Json => {
  const paths = objectIn(request, 'pathVariables')
  return {
    name: textIn(request, 'name'),
    event: eventsOf(request),
    request: {
      method: textIn(request, 'method'),
      description: textIn(request, 'description'),
      url: {
        raw: textIn(request, 'url'),
        query: listIn(request, 'queryParams').map(fieldOf),
        variable: [
          ...listIn(request, 'pathVariableData'),
          ...Object.entries(paths).map(([key, value]) => ({ key, value })),
        ],
      },
      header: headersOf(request),
      body: bodyOf(request),
      auth: authOf(request),
    },
  }
}

const fieldOf = (field: unknown): Json => ({ ...objectIn(field), disabled: objectIn(field)['enabled'] === false })

/** A list, or a text with a line for each header; two slashes switch one off. */
const headersOf = (request: unknown): Json[] => {
  const data = listIn(request, 'headerData')
  if (data.length > 0) return data.map(fieldOf)
  return (textIn(request, 'headers') ?? '').split('\n').flatMap((line) => {
    const [, off, key, value = ''] = /^(\/\/)?\s{0,10}([^:\s][^:]{0,200}):\s?(.*)$/.exec(line) ?? []
    return key === undefined ? [] : [{ key, value, disabled: off !== undefined }]
  })
}

const bodyOf = (request: unknown): Json => {
  const mode = textIn(request, 'dataMode')
  const fields = listIn(request, 'data').map(fieldOf)
  if (mode === 'raw') {
    const text = textIn(request, 'rawModeData') ?? textIn(request, 'data') ?? ''
    return { mode, raw: text, options: objectIn(request, 'dataOptions') }
  }
  if (mode === 'params') return { mode: 'formdata', formdata: fields }
  if (mode === 'urlencoded') return { mode, urlencoded: fields }
  if (mode === 'graphql') return { mode, graphql: objectIn(request, 'graphqlModeData') }
  return mode === 'binary' ? { mode: 'file' } : {}
}

const HELPERS: Record<string, string | undefined> = { basicAuth: 'basic', bearerAuth: 'bearer', normal: 'noauth' }

/** Older versions name a helper in place of a type. */
const authOf = (request: unknown): unknown => {
  const { auth, helperAttributes } = objectIn(request)
  const helper = textIn(request, 'currentHelper')
  if ((auth !== undefined && auth !== null) || helper === undefined) return auth
  const type = HELPERS[helper] ?? helper
  return { type, [type]: helperAttributes }
}

const eventsOf = (part: unknown): unknown[] => {
  const events = listIn(part, 'events')
  if (events.length > 0) return [...events]
  return [
    ['prerequest', textIn(part, 'preRequestScript')],
    ['test', textIn(part, 'tests')],
  ].flatMap(([listen, exec]) => (exec ? [{ listen, script: { exec } }] : []))
}
