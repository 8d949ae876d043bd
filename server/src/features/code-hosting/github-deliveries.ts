import type { IncomingHttpHeaders } from 'node:http'
import { verify } from '@octokit/webhooks-methods'
import { badRequest } from '../../platform/errors.ts'
import { headerOf } from '../../platform/http/routes/webhook.ts'
import { isSingleLine, isStorable } from '../../platform/text/text.ts'

/** A delivery before it is processed. */
export interface GitHubDelivery {
  /** From an unsigned header: use it only to recognise repetitions. */
  deliveryId: string | null
  event: string
  action: string | null
  /** `owner/name` */
  repository: string | null
  /** The JSON text; in a form the field of that name. */
  payload: string
}

/**
 * Checks `X-Hub-Signature-256`.
 *
 * @param secrets any one may match: during a rotation, both are in use
 * @throws ApiError BAD_REQUEST
 */
export const verifyGitHubSignature = async (
  text: string,
  header: string | undefined,
  secrets: readonly string[],
): Promise<void> => {
  if (header === undefined) throw badRequest('X-Hub-Signature-256: is missing.')
  if (!/^sha256=[0-9a-f]{64}$/.test(header))
    throw badRequest('X-Hub-Signature-256: must be sha256= and 64 hexadecimal digits.')
  for (const secret of secrets) if (await verify(secret, text, header)) return
  throw badRequest('X-Hub-Signature-256: does not match the body.')
}

/**
 * Parses a verified delivery. A body that is not JSON is stored like any other: its signature shows that it is for this
 * server.
 */
export const readDelivery = (text: string, headers: IncomingHttpHeaders): GitHubDelivery => {
  const isForm = headerOf(headers, 'content-type')?.startsWith('application/x-www-form-urlencoded') ?? false
  const payload = (isForm ? new URLSearchParams(text).get('payload') : null) ?? text
  const body = parse(payload)
  return {
    deliveryId: matching(/^[\w-]{1,100}$/, headerOf(headers, 'x-github-delivery')),
    event: matching(/^\w{1,100}$/, headerOf(headers, 'x-github-event')) ?? 'unknown',
    action: matching(/^.{1,100}$/, body.action),
    repository: matching(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, fields(body.repository).full_name),
    payload,
  }
}

type Fields = Record<string, unknown>

const parse = (text: string): Fields => {
  try {
    return fields(JSON.parse(text))
  } catch {
    return {}
  }
}

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const matching = (pattern: RegExp, value: unknown): string | null =>
  typeof value === 'string' && pattern.test(value) && isStorable(value) && isSingleLine(value) ? value : null
