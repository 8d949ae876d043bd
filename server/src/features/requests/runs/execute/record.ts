import type { RequestRuns } from '../../../../platform/database/types.gen.ts'
import { headerValues, shownHeader } from '../../sending/build/headers.ts'
import { addressText } from '../../sending/build/written-address.ts'
import type { Evaluated, Found } from '../../sending/evaluate/evaluate-task.ts'
import type { Mask } from '../../sending/mask.ts'
import type { Sent } from '../../sending/send.ts'
import { secretsInBody } from '../excerpt.ts'
import type { Prepared } from './prepare.service.ts'

/** Stored part of a request body, in characters; masking has to scan all of it. */
const MAX_REQUEST_TEXT = 262_144

/** Returns the masked request columns of a run. */
export const requestColumns = ({ request, mask }: Prepared, keptBytes: number) => {
  const { method, headers, body } = request
  const url = mask(addressText(request))
  const sentHeaders = body
    ? [
        ...headers.filter(([name]) => name.toLowerCase() !== 'content-length'),
        ['content-length', String(body.length)] as const,
      ]
    : headers
  return {
    method,
    url,
    request: toJson({
      method,
      url,
      headers: sentHeaders.map((header) => masked(shownHeader(header), mask)),
      body: body ? cut(mask(body.text.slice(0, MAX_REQUEST_TEXT)), Math.min(keptBytes, MAX_REQUEST_TEXT)) : null,
    }),
  }
}

/** A cut text may end inside a secret, so its last part is removed too. */
const cut = (text: string, max: number): string =>
  text.length < max ? text : `${text.slice(0, Math.max(0, max - 16_384))}…`

/** Returns the columns of a run that has ended. */
export const endColumns = (
  { mask, assertions }: Prepared,
  sent: Sent,
  outcome: Pick<RequestRuns, 'state' | 'reason'>,
  evaluated: Evaluated | undefined,
  endedAt: string,
) => {
  const { hops, timing, answer } = sent
  const captured = evaluated && Object.keys(evaluated.captured).length > 0 ? mapValues(evaluated.captured, mask) : null
  return {
    state: outcome.state,
    reason: outcome.reason === null ? null : mask(outcome.reason),
    hops: toJson(hops.map((hop) => ({ ...hop, url: mask(hop.url) }))),
    timing: toJson(timing),
    assertions: toJson(
      assertions
        .map((rule, index) => ({ ...rule, ...(evaluated?.assertions[index] ?? NOT_FOUND) }))
        .map((result) => maskedResult(result, mask)),
    ),
    captured: captured && toJson(captured),
    status: answer?.status ?? null,
    response: answer && toJson(responseOf(answer, mask)),
    body: answer?.body.kept ?? null,
    body_secrets: answer && toJson(secretsInBody(answer.body.kept, mask)),
    ended_at: endedAt,
  }
}

const NOT_FOUND = { passed: false, actual: null }

const responseOf = (answer: NonNullable<Sent['answer']>, mask: Mask) => ({
  status: answer.status,
  statusText: mask(answer.statusText),
  httpVersion: answer.httpVersion,
  headers: answer.headers.map((header) => masked(shownHeader(header), mask)),
  size: answer.body.size,
  truncated: answer.body.size > answer.body.kept.length,
  mediaType:
    mask(headerValues(answer.headers, 'content-type')[0]?.split(';', 1)[0]?.trim().toLowerCase().slice(0, 200) ?? '') ||
    null,
  bodySha256: answer.body.sha256,
  remoteAddress: answer.remoteAddress,
  tls: answer.tls,
})

const masked = ({ name, value }: { name: string; value: string }, mask: Mask) => ({ name, value: mask(value) })

const maskedResult = <R extends { actual: Found; value?: Found | undefined }>(result: R, mask: Mask): R => ({
  ...result,
  actual: typeof result.actual === 'string' ? mask(result.actual) : result.actual,
  ...(typeof result.value === 'string' && { value: mask(result.value) }),
})

const mapValues = (values: Record<string, string>, map: Mask): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))

/** Postgres rejects NUL and unpaired surrogates, which remote servers may send. */
export const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()

const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part))
