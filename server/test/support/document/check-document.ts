import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../../../src/platform/http/openapi/openapi.ts'
import type { TestResponse } from '../app/test-client.ts'
import { firstUse } from '../clients/first-use.ts'
import { DOCUMENT_VARIABLE } from './document-variable.ts'

/** A test run makes it once for all of its workers; other callers make it here. */
const madeBefore = process.env[DOCUMENT_VARIABLE]

/** The document as a server with default settings publishes it, parsed from JSON as its readers do. */
export const DOCUMENT = JSON.parse(
  madeBefore ? readFileSync(madeBefore, 'utf8') : await (await import('./default-document.ts')).defaultDocument(),
) as OpenApiDocument

const ajv = new Ajv2020({ strict: false, validateSchema: false })
for (const format of ['date', 'date-time', 'single-line', 'multi-line', 'email-address', 'uuid'])
  ajv.addFormat(format, true)
ajv.addSchema(DOCUMENT, 'openapi')

const pointer = (...parts: string[]) =>
  `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

/** Checks values against the schema at a place of the document. */
export const validatorAt = (...parts: string[]): ValidateFunction => ajv.compile({ $ref: pointer(...parts) })

export const errorsOf = (validate: ValidateFunction): string => ajv.errorsText(validate.errors)

interface Declared {
  /** Without `validate` the answer is a file of one of these types. */
  statuses: Map<string, { validate: (() => ValidateFunction) | undefined; types: string[]; headers: string[] }>
  path: RegExp
  method: string
  parameters: number
}

const resolve = (parts: string[], answer: { $ref?: unknown }): string[] =>
  typeof answer.$ref === 'string' ? answer.$ref.slice('#/'.length).split('/') : parts

const at = (parts: string[]) =>
  parts.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], DOCUMENT) as {
    content: object
    headers?: object
  }

/** Headers of every answer of this kind. */
const promised = (headers: object = {}): string[] =>
  Object.keys(headers).filter(
    (name) => (DOCUMENT.components['headers'] as Record<string, { required?: boolean }>)[name]?.required !== false,
  )

const declared: Declared[] = Object.entries(DOCUMENT.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
      statuses: new Map(
        Object.entries(operation.responses).map(([status, answer]) => {
          const parts = resolve(['paths', path, method, 'responses', status], answer)
          const { content, headers } = at(parts)
          const validate =
            'application/json' in content
              ? firstUse(() => validatorAt(...parts, 'content', 'application/json', 'schema'))
              : undefined
          return [status, { validate, types: Object.keys(content), headers: promised(headers) }]
        }),
      ),
    })),
  )
  .sort((a, b) => a.parameters - b.parameters)

/** Statuses of a path or method that the document does not have. */
const UNKNOWN_PATH = [400, 404, 429, 500, 503]

/** Throws unless the document declares this status for the operation, and the body and headers match it. */
export const checkAgainstDocument = (method: string, path: string, response: TestResponse, where: string): void => {
  const plain = decoded(path)
  const operation = declared.find((candidate) => candidate.method === method && candidate.path.test(plain))
  if (!operation) {
    // A browser's preflight is not an operation of the API.
    if (method === 'OPTIONS' && response.status === 204) return
    if (!UNKNOWN_PATH.includes(response.status)) throw new Error(`the OpenAPI document has no such operation: ${where}`)
    return
  }
  const answer = operation.statuses.get(String(response.status))
  if (!answer)
    throw new Error(`the OpenAPI document declares only ${[...operation.statuses.keys()].join(', ')} here: ${where}`)
  const type = response.headers.get('content-type') ?? ''
  if (!answer.types.some((known) => type.startsWith(known.replace('*', ''))))
    throw new Error(`the OpenAPI document has no ${type} here: ${where}`)
  const validate = /^application\/json\b/.test(type) ? answer.validate?.() : undefined
  if (validate && !validate(response.body)) throw new Error(`${errorsOf(validate)}: ${where}`)
  const missing = answer.headers.filter((name) => !response.headers.has(name))
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: the OpenAPI document promises this header: ${where}`)
}

/** Decodes as the router does: `/api/v1/%6Frganizations/current` is the same path. */
const decoded = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
