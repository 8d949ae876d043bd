import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  MAX_REDACTED_BYTES,
  NOT_A_REDACTION,
  REDACTED_ALREADY,
  REDACTS_NO_PICTURE,
} from '@sortie/contract/core/files.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import { createFairQueue } from '../../../platform/concurrency/fair-queue.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, internalError, invalid, notFound, tooLarge, unavailable } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { isPicture, mediaTypeOf } from '../../../platform/files/media-type.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import * as query from '../files.queries.ts'
import { type FileHolder, ownerOf, type ReceivedUpload, sizeLimit, storeUpload } from '../files.service.ts'
import { stillPicture } from '../pictures/strip-metadata.ts'
import { insertRedaction, listRedactions } from './redactions.queries.ts'

/** Pictures that are in memory at the same time. */
const waitForTurn = createFairQueue(
  { places: 2, placesOfParty: 1, maxWaiting: 32, maxWaitingOfParty: 8, maxWaitMs: 30_000 },
  () => unavailable('Too many pictures are being redacted. Try again in a few seconds.'),
  () => unavailable('Too many pictures are being redacted. Try again in a few seconds.'),
)

/**
 * Stores a picture that replaces another of the same object wherever that one is shown, and seals the original. The
 * stored file has no metadata, whatever the program that made it has kept in it.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR if either is not a picture that can be redacted, CONFLICT if the original
 *   is redacted already, if files cannot be added or the organization's quota is exceeded, BAD_REQUEST for a file that
 *   is empty or too large
 */
export const redactFile = async (
  writer: Writer,
  actor: Actor,
  holder: FileHolder,
  ownerId: string,
  { fileName, redacts }: { fileName: string; redacts: string },
  body: Readable,
): Promise<query.FileRow> => {
  const { organizationId } = actor
  const owner = { type: holder.type, id: ownerId }
  if (holder.mayRedact?.(actor) !== true) throw notFound()
  await holder.requireWritable(writer.db, organizationId, ownerId)
  requireRedactable(await query.findFile(writer.db, organizationId, owner, redacts))
  const { file } = await withPicture(writer, organizationId, body, (picture) =>
    storeUpload(writer, actor, fileName, Readable.from([picture]), async (tx, received) => {
      const { engagementId } = await holder.hold(tx, actor, ownerId)
      if (engagementId === null) throw internalError(new Error('only files of engagements are redacted'))
      const { id, size, sha256 } = received
      await recordAudit(tx, actor, writer.clock, {
        action: 'file.uploaded',
        object: { type: 'file', id },
        engagementId,
        after: { fileName, ...ownerOf(holder, ownerId), size, sha256 },
      })
      await announce(tx, { type: 'file', engagementId, ids: [id], change: 'created' })
      const onRow = () => seal(tx, writer, actor, { holder, owner, engagementId, redacts, received })
      return { owner, engagementId, result: undefined, onRow }
    }),
  )
  const stored = await query.findFile(writer.db, organizationId, owner, file.id)
  if (!stored) throw notFound()
  return stored
}

/** @throws ApiError NOT_FOUND, VALIDATION_ERROR, CONFLICT */
const requireRedactable = (original: { media_type: string; sealed?: boolean } | undefined): void => {
  if (!original) throw notFound()
  if (!isPicture(original.media_type)) throw invalid(REDACTS_NO_PICTURE)
  if (original.sealed) throw conflict(REDACTED_ALREADY)
}

/**
 * Works with the bytes of an uploaded picture without metadata. It is stored before it is read: clients are slow, and
 * memory is for few. @throws ApiError
 */
const withPicture = async <T>(
  { config, clock, scopedTo, storage }: Writer,
  organizationId: string,
  body: Readable,
  work: (picture: Uint8Array) => Promise<T>,
): Promise<T> => {
  const { maxBytes, refusal } = await sizeLimit({ config, scopedTo }, organizationId)
  const limit =
    maxBytes <= MAX_REDACTED_BYTES
      ? { maxBytes, refusal }
      : { maxBytes: MAX_REDACTED_BYTES, refusal: () => tooLarge(MAX_REDACTED_BYTES) }
  const place = { organizationId, fileId: newId('fil', clock.now()) }
  const uploaded = await storage.scratch(place, body, limit)
  try {
    const leave = await waitForTurn(organizationId)
    try {
      const picture = stillPicture(await readFile(uploaded.path), mediaTypeOf(uploaded.head))
      if (!picture) throw invalid(NOT_A_REDACTION)
      return await work(picture)
    } finally {
      leave()
    }
  } finally {
    await uploaded.release()
  }
}

interface Sealing {
  holder: FileHolder
  owner: query.FileOwner
  engagementId: string
  redacts: string
  received: ReceivedUpload
}

/** The new file takes the caption and the place of the original, which comes last. */
const seal = async (
  tx: Transaction,
  { clock }: Writer,
  actor: Actor,
  { holder, owner, engagementId, redacts, received }: Sealing,
): Promise<void> => {
  const { organizationId } = actor
  const original = await query.lockFile(tx, organizationId, owner, redacts)
  requireRedactable(original)
  const order = (await query.lockOrder(tx, organizationId, owner)).filter((id) => id !== received.id)
  const isSealed = await insertRedaction(tx, {
    file_id: redacts,
    organization_id: organizationId,
    engagement_id: engagementId,
    redacted_by: received.id,
    created_by: authorOf(actor),
    created_at: isoTime(clock.now()),
  })
  if (!isSealed) throw conflict(REDACTED_ALREADY)
  if (original?.caption) await query.writeCaption(tx, organizationId, received.id, original.caption)
  const inOrder = order.map((id) => (id === redacts ? received.id : id))
  if (holder.type === 'finding') await query.writeOrder(tx, organizationId, [...inOrder, redacts])
  const about = { fileName: original?.file_name, ...ownerOf(holder, owner.id) }
  await recordAudit(tx, actor, clock, {
    action: 'file.redacted',
    object: { type: 'file', id: redacts },
    engagementId,
    before: { ...about, sha256: original?.sha256 },
    after: { ...about, redactedBy: received.id },
  })
  await announce(tx, { type: 'file', engagementId, ids: [redacts], change: 'updated' })
}

/**
 * The id of the file that is shown where this one is named: another one, if it was redacted.
 *
 * @param wantsOriginal the sealed file itself
 * @throws ApiError NOT_FOUND if what was shown in its place is deleted, and for the original if the caller may not redact
 */
export const shownFile = async (
  db: Database,
  actor: Actor,
  holder: FileHolder,
  fileId: string,
  wantsOriginal: boolean,
): Promise<string> => {
  if (holder.mayRedact === undefined) return fileId
  if (wantsOriginal) {
    if (!holder.mayRedact(actor)) throw notFound()
    return fileId
  }
  const shown = (await listRedactions(db, actor.organizationId, [fileId])).get(fileId)
  if (shown === null) throw notFound()
  return shown ?? fileId
}
