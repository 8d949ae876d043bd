import { Readable } from 'node:stream'
import type { Body } from '@sortie/contract/core/endpoint.ts'
import type { attachRequestRun as contract, RequestRun } from '@sortie/contract/requests/request-runs.ts'
import type { Static } from 'typebox'
import { authorNameOf, type Actor } from '../../../platform/auth/actor.ts'
import { requirePermission } from '../../../platform/auth/guard.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { ApiError, conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { storeUpload } from '../../files/files.service.ts'
import { createResult, lockVisibleResult } from '../../results/results.service.ts'
import { lockWritableTask } from '../../tasks/task-locks.service.ts'
import { lockWritablePage } from '../../wiki/pages/access.service.ts'
import { findRunBody } from './runs.queries.ts'
import { requireRun } from './runs.service.ts'
import { toRun } from './show-runs.ts'

type AttachInput = Body<typeof contract>

/** A result's limit for a request, and for a response, in characters. */
const MAX_TEXT = 64_000

/**
 * Attaches a run as evidence to an object of its engagement.
 *
 * @returns the file, or the id of the new result
 * @throws ApiError NOT_FOUND, FORBIDDEN without the scope to write there, VALIDATION_ERROR unless exactly one object is
 *   named or if it is in another engagement, CONFLICT for a run without an engagement
 */
export const attachRequestRun = async (writer: Writer, actor: Actor, runId: string, wanted: AttachInput) => {
  const { resultId, taskId, pageId, newResult } = wanted
  const { organizationId } = actor
  const row = await requireRun(writer.db, organizationId, runId)
  if (Object.values(wanted).filter((value) => value !== undefined).length !== 1)
    throw invalid('resultId: exactly one of resultId, taskId, pageId and newResult is needed')
  requirePermission(actor, {
    scope: taskId !== undefined ? 'tasks:write' : pageId !== undefined ? 'wiki:write' : 'targets:write',
  })
  const body = (await findRunBody(writer.db, organizationId, runId))?.body ?? null
  const { engagement_id: engagementId } = row
  if (engagementId === null) throw conflict('This run belongs to no engagement.')
  const run = toRun(row)
  if (newResult) return { resultId: await newVulnerability(writer, actor, engagementId, run, body, newResult) }
  const holder: Holder =
    taskId !== undefined
      ? { type: 'task', id: taskId }
      : pageId !== undefined
        ? { type: 'page', id: pageId }
        : { type: 'result', id: resultId as string }
  const content = [Buffer.from(`${requestText(run)}\n\n`), Buffer.from(answerHead(run)), ...(body ? [body] : [])]
  const { file } = await storeUpload(
    writer,
    actor,
    `${runId}.http`,
    Readable.from(content),
    async (tx, { id, size, sha256 }) => {
      await lockOwner(tx, actor, holder, engagementId)
      const after = { fileName: `${runId}.http`, [`${holder.type}Id`]: holder.id, size, sha256, runId }
      await recordAudit(tx, actor, writer.clock, {
        action: 'file.uploaded',
        object: { type: 'file', id },
        engagementId,
        after,
      })
      await announce(tx, { type: 'file', engagementId, ids: [id], change: 'created' })
      return { owner: holder, engagementId, result: undefined }
    },
    false,
    runId,
  )
  return { file: { ...file, created_by_name: authorNameOf(actor) } }
}

interface Holder {
  type: 'task' | 'page' | 'result'
  id: string
}

const HOLD = { task: lockWritableTask, page: lockWritablePage, result: lockVisibleResult }

/** @throws ApiError VALIDATION_ERROR for an object outside the engagement, CONFLICT for an archived engagement */
const lockOwner = async (tx: Transaction, actor: Actor, { type, id }: Holder, engagementId: string): Promise<void> => {
  try {
    const held = await HOLD[type](tx, actor, id)
    if (held.engagement_id !== engagementId) throw notFound()
  } catch (error) {
    throw error instanceof ApiError && error.code === 'NOT_FOUND'
      ? invalid(`${type}Id: there is no such ${type} in the engagement of the run`)
      : error
  }
}

type Run = Static<typeof RequestRun>

const newVulnerability = async (
  writer: Writer,
  actor: Actor,
  engagementId: string,
  run: Run,
  body: Buffer | null,
  { title, severity }: NonNullable<AttachInput['newResult']>,
) => {
  const data = {
    request: textOf(requestText(run)),
    response: textOf(`${answerHead(run)}${body?.toString('utf8') ?? ''}`),
  }
  const { id } = await createResult(writer, actor, {
    engagementId,
    title,
    severity,
    asset: run.url.slice(0, 1_000),
    data,
  })
  return id
}

/** Makes a text storable in a result. */
const textOf = (text: string): string => text.replaceAll('\u0000', '\ufffd').slice(0, MAX_TEXT).toWellFormed()

const headerLines = (headers: readonly { name: string; value: string }[]): string[] =>
  headers.map(({ name, value }) => `${name}: ${value}`)

const requestText = ({ request }: Run): string =>
  [`${request.method} ${request.url}`, ...headerLines(request.headers), '', request.body ?? ''].join('\n')

const answerHead = ({ response, reason, state }: Run): string =>
  response
    ? [
        `HTTP/${response.httpVersion} ${response.status} ${response.statusText}`,
        ...headerLines(response.headers),
        '',
        '',
      ].join('\n')
    : `${state}: ${reason ?? 'no answer'}\n`
