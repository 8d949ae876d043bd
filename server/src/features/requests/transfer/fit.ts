import { closedObject } from '@sortie/contract/core/endpoint.ts'
import { requestInput } from '@sortie/contract/requests/request-parts.ts'
import { MAX_TRANSFERRED } from '@sortie/contract/requests/request-transfer.ts'
import { Check, Errors } from 'typebox/value'
import { isStorable } from '../../../platform/text/text.ts'
import { problemOfAddress } from '../secrets.ts'
import { definitionBudget, ImportError, type Imported, type ImportedRequest } from './imported.ts'

const Input = closedObject(requestInput)
const MAX_FOLDERS = 2_000
const MAX_VARIABLES = 200
const MAX_VALUE = 16_384
/** Further problems are counted, not listed. */
const MAX_PROBLEMS = 1_000

/** Applies the limits of JSON input to a file's contents. @throws ImportError above them */
export const fitted = (imported: Imported): Imported => {
  if (imported.requests.length > MAX_TRANSFERRED)
    throw new ImportError(`it has ${imported.requests.length} requests, and one import takes ${MAX_TRANSFERRED}`)
  if (imported.folders.length > MAX_FOLDERS)
    throw new ImportError(`it has ${imported.folders.length} folders, and one import takes ${MAX_FOLDERS}`)
  imported.requests.forEach(definitionBudget())
  const problems = [...imported.problems]
  const requests = imported.requests.filter((request, index) => {
    const reason = problemOf(request)
    if (reason !== undefined) problems.push({ position: `request ${index + 1} (${request.name})`, reason })
    return reason === undefined
  })
  const folders = imported.folders.map(({ auth, ...folder }) => {
    if (!auth || (Check(Input.properties.auth, auth) && areStorable(auth))) return { ...folder, ...(auth && { auth }) }
    problems.push({
      position: `folder ${folder.name}`,
      reason: 'its authentication cannot be imported: requests are sent without it',
    })
    return { ...folder, auth: { type: 'none' as const } }
  })
  const environments = imported.environments.map(({ name, variables }) => ({
    name,
    variables: variables
      .filter((variable) => variable.value.length <= MAX_VALUE && areStorable(variable))
      .slice(0, MAX_VARIABLES),
  }))
  const left = environments.reduce(
    (sum, { variables }, index) => sum + (imported.environments[index]?.variables.length ?? 0) - variables.length,
    0,
  )
  if (left > 0) problems.push({ position: 'variables', reason: `${left} are too long or too many` })
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ position, reason }) => ({ position: shownText(position), reason: shownText(reason) }))
  if (problems.length > shown.length)
    shown.push({ position: 'file', reason: `and ${problems.length - shown.length} more` })
  return {
    requests,
    folders: folders.map((folder) => ({ ...folder, name: shownText(folder.name) })),
    environments,
    problems: shown,
  }
}

const problemOf = ({ folder: _folder, name: _name, description, ...input }: ImportedRequest): string | undefined => {
  if (input.method?.toUpperCase() === 'CONNECT') return 'CONNECT is not sent'
  if (!areStorable([input, description ?? ''])) return 'it has a NUL character or half a surrogate pair'
  const problem = problemOfAddress(input.url)
  if (problem !== undefined) return `url: ${problem}`
  if (Check(Input, input)) return undefined
  const [error] = Errors(Input, input)
  return `${error?.instancePath.slice(1).replaceAll('/', '.').slice(0, 200) || 'it'}: is too long, or of a kind that cannot be imported`
}

const areStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(areStorable)
}

const shownText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed().slice(0, 500)
