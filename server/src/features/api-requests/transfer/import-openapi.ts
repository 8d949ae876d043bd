import { ImportError, type Imported, type ImportedRequest, listIn, nothingImported, objectIn, pair, textIn } from './imported.ts'
import { authOf, cookieHeader, readServers } from './openapi-parts.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const MAX_REFERENCES = 20
const MAX_SAMPLE_DEPTH = 8
const MAX_SAMPLE_PARTS = 500

/** OpenAPI 3.0 and 3.1: a request for each operation, with variables for its parameters. References outside are not fetched. @throws ImportError */
export const importOpenApi = (file: unknown): Imported => {
  if (!/^3\.[01]\b/.test(textIn(file, 'openapi') ?? '')) throw new ImportError('it is no OpenAPI 3.0 or 3.1')
  const imported = nothingImported()
  const name = lineOf(textIn(objectIn(file, 'info'), 'title')) || 'OpenAPI'
  const secured = objectIn(file)['security'] !== undefined
  const auth = secured ? authOf(schemesOf(file), listIn(file, 'security'), tell('security', imported)) : undefined
  imported.folders.push({ name, parent: null, ...(auth && { auth }) })
  readServers(file, name, imported)
  for (const [path, item] of Object.entries(objectIn(file, 'paths'))) {
    const found = resolve(file, item)
    if (listIn(found, 'servers').length > 0) tell(path, imported)('servers of its own are not taken over')
    for (const method of METHODS) {
      const operation = objectIn(found, method)
      if (Object.keys(operation).length > 0) readOperation(file, path, method, operation, listIn(found, 'parameters'), imported)
    }
  }
  return imported
}

const readOperation = (file: unknown, path: string, method: string, operation: object, shared: readonly unknown[], imported: Imported): void => {
  const position = `${method.toUpperCase()} ${path}`
  const problem = tell(position, imported)
  const parameters = [...shared, ...listIn(operation, 'parameters')].map((parameter) => resolve(file, parameter, problem))
  const own = new Map(parameters.map((parameter) => [`${textIn(parameter, 'in')} ${textIn(parameter, 'name')}`, parameter]))
  const of = (place: string) => [...own.values()].filter((parameter) => textIn(parameter, 'in') === place)
  const fields = (place: string) =>
    of(place).map((parameter) => pair(textIn(parameter, 'name') ?? '', sampleText(file, parameter), objectIn(parameter)['required'] === true))
  const auth = objectIn(operation)['security'] === undefined ? undefined : authOf(schemesOf(file), listIn(operation, 'security'), problem)
  if (listIn(operation, 'servers').length > 0) problem('servers of its own are not taken over')
  imported.requests.push({
    folder: 0,
    name: lineOf(textIn(operation, 'summary') ?? textIn(operation, 'operationId')) || position.slice(0, 200),
    description: (textIn(operation, 'description') ?? '').slice(0, 100_000),
    method: method.toUpperCase(),
    url: `{{baseUrl}}${path.replace(/\{([A-Za-z_][A-Za-z0-9_.-]{0,63})\}/g, '{{$1}}')}`,
    query: fields('query'),
    headers: [...fields('header'), ...cookieHeader(fields('cookie'))],
    ...(auth && { auth }),
    ...bodyOf(file, resolve(file, objectIn(operation)['requestBody'], problem), problem),
  })
}

const tell = (position: string, imported: Imported) => (reason: string) => void imported.problems.push({ position, reason })

/** By name. */
const schemesOf =
  (file: unknown) =>
  (name: string): unknown =>
    resolve(file, objectIn(objectIn(objectIn(file, 'components'), 'securitySchemes'), name))

const bodyOf = (file: unknown, body: unknown, problem: (reason: string) => void): Pick<ImportedRequest, 'body'> => {
  const content = Object.entries(objectIn(body, 'content'))
  const [type, media] = content.find(([mediaType]) => /json/i.test(mediaType)) ?? content[0] ?? []
  if (type === undefined) return {}
  const example = exampleOf(file, media) ?? sample(file, objectIn(media)['schema'], 0, { left: MAX_SAMPLE_PARTS }, problem)
  if (/json/i.test(type)) return { body: { mode: 'json', text: JSON.stringify(example ?? {}, null, 2) } }
  if (/^application\/x-www-form-urlencoded/i.test(type)) return { body: { mode: 'form', fields: pairsOf(example) } }
  if (/^multipart\//i.test(type)) return { body: { mode: 'multipart', parts: pairsOf(example) } }
  return { body: { mode: 'raw', text: typeof example === 'string' ? example : '', mediaType: type.slice(0, 200) } }
}

const pairsOf = (example: unknown) =>
  Object.entries(objectIn(example)).map(([name, value]) => pair(name, typeof value === 'string' ? value : JSON.stringify(value)))

const exampleOf = (file: unknown, media: unknown): unknown =>
  objectIn(media)['example'] ?? objectIn(resolve(file, Object.values(objectIn(media, 'examples'))[0]))['value']

const sampleText = (file: unknown, parameter: unknown): string => {
  const value = exampleOf(file, parameter) ?? sample(file, objectIn(parameter)['schema'], 0, { left: MAX_SAMPLE_PARTS }, () => undefined)
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

/** A value that fits a schema about, from examples and defaults; bounded, since schemas refer to themselves. */
const sample = (file: unknown, of: unknown, depth: number, parts: { left: number }, problem: (reason: string) => void): unknown => {
  if (depth > MAX_SAMPLE_DEPTH || parts.left-- <= 0) return null
  const schema = objectIn(resolve(file, of, problem))
  const given = schema['example'] ?? listIn(schema, 'examples')[0] ?? schema['default'] ?? schema['const'] ?? listIn(schema, 'enum')[0]
  if (given !== undefined) return given
  const [alternative] = [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')]
  if (alternative !== undefined) return sample(file, alternative, depth + 1, parts, problem)
  const properties = Object.entries(objectIn(schema, 'properties')).map(([name, inner]) => [name, sample(file, inner, depth + 1, parts, problem)])
  const joined = listIn(schema, 'allOf').map((inner) => objectIn(sample(file, inner, depth + 1, parts, problem)))
  if (properties.length > 0 || joined.length > 0) return Object.assign({}, ...joined, Object.fromEntries(properties))
  const type = [schema['type']].flat()[0]
  if (type === 'array') return [sample(file, schema['items'], depth + 1, parts, problem)]
  return { object: {}, string: '', integer: 0, number: 0, boolean: false }[String(type)] ?? null
}

/** What a reference within the file leads to. */
const resolve = (file: unknown, value: unknown, problem: (reason: string) => void = () => undefined): unknown => {
  let found = value
  for (let followed = 0; followed < MAX_REFERENCES; followed++) {
    const reference = textIn(found, '$ref')
    if (reference === undefined) return found
    if (!reference.startsWith('#/')) {
      problem(`${reference.slice(0, 200)}: references to other files are not fetched`)
      return undefined
    }
    const keys = reference
      .slice(2)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    found = keys.reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined),
      file,
    )
  }
  problem('a reference leads in a circle')
  return undefined
}

const lineOf = (text: string | undefined): string =>
  (text ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, 200)
    .trim()
