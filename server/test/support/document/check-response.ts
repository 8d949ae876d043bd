import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { DOOR_PATHS, type Endpoint } from '@sortie/contract/core/endpoint.ts'
import { ERROR_STATUS } from '@sortie/contract/core/errors.ts'
import { Ajv, type ValidateFunction } from 'ajv'
import type { TestResponse } from '../app/test-client.ts'
import { firstUse } from '../clients/first-use.ts'

const ajv = new Ajv({
  strict: false,
  formats: { 'date-time': true, 'single-line': true, 'multi-line': true, 'email-address': true, date: true },
})

interface Checked {
  method: string
  path: RegExp
  endpoint: Endpoint
  validate: () => ValidateFunction
}

/** The doors that the OpenAPI document leaves out. */
const checked: Checked[] = ENDPOINTS.flatMap((endpoint) =>
  endpoint.doors
    .filter((door) => door !== 'key')
    .map((door) => ({
      method: endpoint.method,
      path: new RegExp(`^${(DOOR_PATHS[door] + endpoint.path).replace(/:\w+/g, '[^/]+')}$`),
      endpoint,
      validate: firstUse(() => ajv.compile(JSON.parse(JSON.stringify(endpoint.reply)))),
    })),
)

/** `/tasks/export` is not a task id. */
const fixedFirst = checked.toSorted((a, b) => a.endpoint.path.split(':').length - b.endpoint.path.split(':').length)

const REQUIRED_HEADERS = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cache-control',
]

/**
 * Throws unless the OpenAPI document (or, for the session door, the contract) allows an answer: headers, status, shape.
 * Runs on every answer of every test.
 */
export const checkResponse = async (method: string, url: string, response: TestResponse): Promise<void> => {
  const where = `${method} ${url} answered ${response.status} ${response.text.slice(0, 300)}`
  for (const header of REQUIRED_HEADERS)
    if (!response.headers.has(header)) throw new Error(`${header} is missing: ${where}`)
  if (method === 'HEAD') return
  const path = url.split('?')[0] as string
  if (path.startsWith('/api/v1') || path === '/api/health') {
    // Importing this makes the document, which takes seconds: browser tests, which rarely need it, avoid the import.
    const { checkAgainstDocument } = await import('./check-document.ts')
    checkAgainstDocument(method, path, response, where)
  }
  if (response.status >= 400) {
    if (path.startsWith('/api/health') && response.status === 503) return
    // Errors of OAuth have the shape of RFC 6749.
    if (path.startsWith('/api/oauth/') && response.status === 400) return
    requireErrorShape(response, where)
    return
  }
  const match = fixedFirst.find((candidate) => candidate.method === method && candidate.path.test(path))
  if (!match) return
  if (response.status !== match.endpoint.status) throw new Error(`the contract says ${match.endpoint.status}: ${where}`)
  if (response.body === undefined || match.endpoint.produces) return
  const validate = match.validate()
  if (!validate(response.body)) throw new Error(`${ajv.errorsText(validate.errors)}: ${where}`)
}

const requireErrorShape = (response: TestResponse, where: string): void => {
  const { error, ...rest } = response.body ?? {}
  const shaped =
    error &&
    Object.keys(rest).length === 0 &&
    Object.keys(error).sort().join() === 'code,message,statusCode' &&
    error.statusCode === response.status &&
    typeof error.message === 'string' &&
    error.message.length > 0
  const known = ERROR_STATUS[error?.code as keyof typeof ERROR_STATUS]
  const statusFits = known === response.status || (error?.code === 'INTERNAL_ERROR' && response.status === 503)
  if (!shaped || !statusFits) throw new Error(`not the specified error shape: ${where}`)
  if (response.status === 429 && !response.headers.has('retry-after'))
    throw new Error(`Retry-After is missing: ${where}`)
}
