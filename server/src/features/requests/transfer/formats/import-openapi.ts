import {
  definitionBudget,
  ImportError,
  type Imported,
  type ImportedRequest,
  listIn,
  nothingImported,
  objectIn,
  pair,
  textIn,
} from '../imported.ts'
import { authOf, cookieHeader, readServers } from './openapi-parts.ts'
import { fieldsOf, plain, simpleValue, styleOf } from './openapi-values.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const MAX_REFERENCES = 20
const MAX_SAMPLE_DEPTH = 8
const MAX_SAMPLE_PARTS = 500
/** Limit of example values of path parameters in an environment. */
const MAX_EXAMPLES = 150

/**
 * Imports OpenAPI 3.0 and 3.1: one request per operation, with variables for its parameters. Does not fetch external
 * references.
 * @throws ImportError
 */
export const importOpenApi = (file: unknown): Imported => {
  if (!/^3\.[01]\b/.test(textIn(file, 'openapi') ?? '')) throw new ImportError('it must be OpenAPI 3.0 or 3.1')
  const imported = nothingImported()
  const name = lineOf(textIn(objectIn(file, 'info'), 'title')) || 'OpenAPI'
  // Without `security` no credentials are sent, so a parent folder's auth must not be inherited.
  const auth = authOf(schemesOf(file), listIn(file, 'security'), tell('security', imported))
  imported.folders.push({ name, parent: null, auth })
  readServers(file, name, imported)
  const count = definitionBudget()
  for (const [path, item] of Object.entries(objectIn(file, 'paths'))) {
    const found = resolve(file, item)
    if (listIn(found, 'servers').length > 0) tell(path, imported)('servers of its own are not imported')
    for (const method of METHODS) {
      const operation = objectIn(found, method)
      if (Object.keys(operation).length === 0) continue
      readOperation(file, { path, method, operation, shared: found }, imported)
      count(imported.requests.at(-1) as ImportedRequest)
    }
  }
  return imported
}

interface Operation {
  path: string
  method: string
  operation: object
  /** The path item, with the fields that all its operations share. */
  shared: unknown
}

const readOperation = (file: unknown, { path, method, operation, shared }: Operation, imported: Imported): void => {
  const position = `${method.toUpperCase()} ${path}`
  const problem = tell(position, imported)
  const parameters = [...listIn(shared, 'parameters'), ...listIn(operation, 'parameters')].map((parameter) =>
    resolve(file, parameter, problem),
  )
  const own = new Map(
    parameters.map((parameter) => [`${textIn(parameter, 'in')} ${textIn(parameter, 'name')}`, parameter]),
  )
  const of = (place: string) => [...own.values()].filter((parameter) => textIn(parameter, 'in') === place)
  const fields = (place: 'query' | 'cookie') =>
    of(place).flatMap((parameter) => {
      const isRequired = objectIn(parameter)['required'] === true
      const name = textIn(parameter, 'name') ?? ''
      const value = sampleOf(file, parameter)
      const found = isInContent(parameter)
        ? [{ name, value: plain(value) }]
        : fieldsOf(name, value, styleOf(parameter, place))
      return found.map((field) => pair(field.name, field.value, isRequired))
    })
  const headers = of('header').map((parameter) => {
    const name = textIn(parameter, 'name') ?? ''
    const value = sampleOf(file, parameter)
    const text = isInContent(parameter) ? plain(value) : simpleValue(name, value, styleOf(parameter, 'header'))
    return pair(name, text, objectIn(parameter)['required'] === true)
  })
  const auth =
    objectIn(operation)['security'] === undefined
      ? undefined
      : authOf(schemesOf(file), listIn(operation, 'security'), problem)
  if (listIn(operation, 'servers').length > 0) problem('servers of its own are not imported')
  imported.requests.push({
    folder: 0,
    name: lineOf(textIn(operation, 'summary') ?? textIn(operation, 'operationId')) || position.slice(0, 200),
    description: (textIn(operation, 'description') ?? '').slice(0, 100_000),
    method: method.toUpperCase(),
    url: `{{baseUrl}}${pathWithValues(file, path, of('path'), imported)}`,
    query: fields('query'),
    headers: [...headers, ...cookieHeader(fields('cookie'))],
    ...(auth && { auth }),
    ...bodyOf(file, resolve(file, objectIn(operation)['requestBody'], problem), problem),
  })
}

/** True for a parameter whose value is serialized, for example as JSON. */
const isInContent = (parameter: unknown): boolean => Object.keys(objectIn(parameter, 'content')).length > 0

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/

/**
 * Replaces path parameters by variables, and adds their examples to each environment; the first one of a name wins.
 * Writes the value itself if the name is not a valid variable, has another value elsewhere, or has a style with
 * separators.
 */
const pathWithValues = (file: unknown, path: string, parameters: readonly unknown[], imported: Imported): string =>
  path.replace(/\{([^{}]{1,200})\}/g, (written, name: string) => {
    const parameter = parameters.find((each) => textIn(each, 'name') === name)
    const value = parameter === undefined ? '' : pathValue(file, name, parameter)
    const known = imported.environments[0]?.variables.find((variable) => variable.name === name)
    const isPlain = styleOf(parameter, 'path').style === 'simple' && !value.includes(',')
    if (!VARIABLE_NAME.test(name) || (value !== '' && (!isPlain || (known && known.value !== value))))
      return value === '' ? written : encodePath(value)
    if (!known && value !== '') {
      for (const { variables } of imported.environments)
        if (variables.length < MAX_EXAMPLES) variables.push({ name, value, secret: false })
    }
    return `{{${name}}}`
  })

/** Returns an example, a default or one of the allowed values; empty if the file has none. */
const pathValue = (file: unknown, name: string, parameter: unknown): string => {
  const schema = objectIn(resolve(file, objectIn(parameter)['schema']))
  const given = exampleOf(file, parameter) ?? givenIn(schema)
  return given === undefined ? '' : simpleValue(name, given, styleOf(parameter, 'path'))
}

/** `;` `=` `,` and `.` are separators of path styles. */
const encodePath = (value: string): string => encodeURIComponent(value).replace(/%(?:3B|3D|2C)/g, decodeURIComponent)

const tell = (position: string, imported: Imported) => (reason: string) =>
  void imported.problems.push({ position, reason })

/** Finds a security scheme by name. */
const schemesOf =
  (file: unknown) =>
  (name: string): unknown =>
    resolve(file, objectIn(objectIn(objectIn(file, 'components'), 'securitySchemes'), name))

const bodyOf = (file: unknown, body: unknown, problem: (reason: string) => void): Pick<ImportedRequest, 'body'> => {
  const content = Object.entries(objectIn(body, 'content'))
  const [type, media] = content.find(([mediaType]) => /json/i.test(mediaType)) ?? content[0] ?? []
  if (type === undefined) return {}
  const example =
    exampleOf(file, media) ?? sample(file, objectIn(media)['schema'], 0, { left: MAX_SAMPLE_PARTS }, problem)
  const encodings = objectIn(media, 'encoding')
  if (/json/i.test(type)) return { body: { mode: 'json', text: JSON.stringify(example ?? {}, null, 2) } }
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return { body: { mode: 'form', fields: formFields(example, encodings) } }
  if (/^multipart\//i.test(type)) return { body: { mode: 'multipart', parts: partsOf(example, encodings) } }
  return { body: { mode: 'raw', text: typeof example === 'string' ? example : '', mediaType: type.slice(0, 200) } }
}

/** Lists become several fields. An object becomes JSON, unless the encoding sets a style. */
const formFields = (example: unknown, encodings: object) =>
  Object.entries(objectIn(example)).flatMap(([name, value]) => {
    const encoding = objectIn(encodings, name)
    const isStyled = encoding['style'] !== undefined || encoding['explode'] !== undefined
    const found =
      isStyled || Array.isArray(value)
        ? fieldsOf(name, value, styleOf(encoding, 'form'))
        : [{ name, value: plain(value) }]
    return found.map((field) => pair(field.name, field.value))
  })

/** One part per value of a list. Objects, and fields with an encoding, have a media type. */
const partsOf = (example: unknown, encodings: object) =>
  Object.entries(objectIn(example)).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => {
      const mediaType =
        textIn(objectIn(encodings, name), 'contentType') ??
        (typeof each === 'object' && each !== null ? 'application/json' : undefined)
      return { ...pair(name, plain(each)), ...(mediaType !== undefined && { mediaType: mediaType.slice(0, 200) }) }
    }),
  )

const exampleOf = (file: unknown, media: unknown): unknown =>
  objectIn(media)['example'] ?? objectIn(resolve(file, Object.values(objectIn(media, 'examples'))[0]))['value']

/** Returns a parameter's example, that of its content, or a value that fits its schema. */
const sampleOf = (file: unknown, parameter: unknown): unknown => {
  const media = Object.values(objectIn(parameter, 'content'))[0]
  const schema = objectIn(parameter)['schema'] ?? objectIn(media)['schema']
  return (
    exampleOf(file, parameter) ??
    exampleOf(file, media) ??
    sample(file, schema, 0, { left: MAX_SAMPLE_PARTS }, () => undefined)
  )
}

const givenIn = (schema: object): unknown => {
  const fields = objectIn(schema)
  return (
    fields['example'] ??
    listIn(schema, 'examples')[0] ??
    fields['default'] ??
    fields['const'] ??
    listIn(schema, 'enum')[0]
  )
}

/** Builds a value that roughly fits a schema, from examples and defaults; bounded, because schemas may be recursive. */
const sample = (
  file: unknown,
  of: unknown,
  depth: number,
  parts: { left: number },
  problem: (reason: string) => void,
): unknown => {
  if (depth > MAX_SAMPLE_DEPTH || parts.left-- <= 0) return null
  const schema = objectIn(resolve(file, of, problem))
  const given = givenIn(schema)
  if (given !== undefined) return given
  const [alternative] = [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')]
  if (alternative !== undefined) return sample(file, alternative, depth + 1, parts, problem)
  const properties = Object.entries(objectIn(schema, 'properties')).map(([name, inner]) => [
    name,
    sample(file, inner, depth + 1, parts, problem),
  ])
  const joined = listIn(schema, 'allOf').map((inner) => objectIn(sample(file, inner, depth + 1, parts, problem)))
  if (properties.length > 0 || joined.length > 0) return Object.assign({}, ...joined, Object.fromEntries(properties))
  const type = [schema['type']].flat()[0]
  if (type === 'array') return [sample(file, schema['items'], depth + 1, parts, problem)]
  return { object: {}, string: '', integer: 0, number: 0, boolean: false }[String(type)] ?? null
}

/** Resolves a reference within the file. */
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
      (at, key) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      file,
    )
  }
  problem('a reference is circular')
  return undefined
}

const lineOf = (text: string | undefined): string =>
  (text ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, 200)
    .trim()
