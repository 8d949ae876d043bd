import { importOpenApi } from '../formats/import-openapi.ts'
import { type Imported, listIn, objectIn, textIn } from '../imported.ts'

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch'])
/** Serializations of lists (Swagger 2.0, parameter object), as styles of OpenAPI 3. */
const STYLES: Record<string, object | undefined> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
}

type Json = Readonly<Record<string, unknown>>

/** Imports Swagger 2.0, by converting it to OpenAPI 3. Does not fetch external references. @throws ImportError */
export const importSwagger = (file: unknown): Imported => {
  const paths = Object.entries(objectIn(file, 'paths')).map(([path, item]) => [path, pathItem(file, objectIn(item))])
  return importOpenApi({
    ...objectIn(file),
    openapi: '3.0.3',
    servers: serversOf(file),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(objectIn(file, 'securityDefinitions')).map(([name, scheme]) => [name, schemeOf(scheme)]),
      ),
    },
  })
}

/** Without a host the address is completed by a person. */
const serversOf = (file: unknown): { url: string }[] => {
  const host = textIn(file, 'host') ?? ''
  const base = `/${textIn(file, 'basePath') ?? ''}`.replace(/^\/{2,}/, '/').replace(/\/+$/, '')
  if (host === '') return [{ url: base }]
  const schemes = ['https', 'http'].filter((scheme) => listIn(file, 'schemes').includes(scheme))
  return (schemes.length === 0 ? ['https'] : schemes).map((scheme) => ({ url: `${scheme}://${host}${base}` }))
}

const schemeOf = (scheme: unknown): unknown =>
  textIn(scheme, 'type') === 'basic' ? { type: 'http', scheme: 'basic' } : scheme

const pathItem = (file: unknown, item: Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      if (name === 'parameters')
        return [
          name,
          listIn(item, name)
            .map((each) => resolved(file, each))
            .filter(isPlain)
            .map(parameterOf),
        ]
      if (!METHODS.has(name)) return [name, value]
      return [name, operationOf(file, objectIn(value), listIn(item, 'parameters'))]
    }),
  )

const isPlain = (parameter: unknown): boolean => !['body', 'formData'].includes(textIn(parameter, 'in') ?? '')

/** A parameter in another part of the file. */
const resolved = (file: unknown, value: unknown): unknown => {
  const reference = textIn(value, '$ref')
  const name = /^#\/parameters\/(.{1,200})$/.exec(reference ?? '')?.[1]
  return name === undefined ? value : objectIn(file, 'parameters')[name.replaceAll('~1', '/').replaceAll('~0', '~')]
}

const operationOf = (file: unknown, operation: Json, shared: readonly unknown[]): Json => {
  const own = listIn(operation, 'parameters').map((each) => resolved(file, each))
  const all = [...shared.map((each) => resolved(file, each)), ...own]
  const body = all.findLast((each) => textIn(each, 'in') === 'body')
  const fields = all.filter((each) => textIn(each, 'in') === 'formData')
  const consumes = [...listIn(operation, 'consumes'), ...listIn(file, 'consumes')].map(String)
  return {
    ...operation,
    parameters: own.filter(isPlain).map(parameterOf),
    ...(body !== undefined && {
      requestBody: { content: { [consumes[0] ?? 'application/json']: { schema: objectIn(body)['schema'] } } },
    }),
    ...(fields.length > 0 && { requestBody: formOf(fields, consumes) }),
  }
}

/** Files are only sent as multipart. */
const formOf = (fields: readonly unknown[], consumes: readonly string[]): Json => {
  const isMultipart =
    fields.some((field) => textIn(field, 'type') === 'file') || (consumes[0] ?? '').startsWith('multipart/')
  const properties = Object.fromEntries(fields.map((field) => [textIn(field, 'name') ?? '', schemaOf(field)]))
  return {
    content: {
      [isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded']: {
        schema: { type: 'object', properties },
      },
    },
  }
}

const schemaOf = (parameter: unknown): Json => {
  const { type, format, items, enum: values, default: fallback } = objectIn(parameter)
  return {
    type: type === 'file' ? 'string' : type,
    ...(format !== undefined && { format }),
    ...(items !== undefined && { items }),
    ...(values !== undefined && { enum: values }),
    ...(fallback !== undefined && { default: fallback }),
  }
}

const parameterOf = (parameter: unknown): Json => ({
  ...objectIn(parameter),
  schema: schemaOf(parameter),
  ...(textIn(parameter, 'type') === 'array' &&
  (textIn(parameter, 'in') === 'query' || textIn(parameter, 'collectionFormat') === 'multi')
    ? STYLES[textIn(parameter, 'collectionFormat') ?? 'csv']
    : {}),
})
