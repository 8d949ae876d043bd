import type { Door, Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ControlledTransaction } from 'kysely'
import { type Clock, isoTime } from '../../clock.ts'
import type { Platform } from '../../context.ts'
import { constantTimeEqual, decrypt, encrypt, sha256, signaturesOf } from '../../crypto.ts'
import { type RunChange, recheckedChange } from '../../database/change.ts'
import type { Database } from '../../database/connection/open.ts'
import {
  type AnswerName,
  completeAnswer,
  deleteAnswersBefore,
  findAnswer,
  insertAnswer,
  lockAnswer,
} from '../../database/idempotency.queries.ts'
import type { EngagementVisibility } from '../../database/scope/tenant-scope.ts'
import { openTransaction, type Transaction } from '../../database/transaction.ts'
import type { DB as Schema } from '../../database/types.gen.ts'
import { type ApiError, badRequest, conflict, invalid, notFound } from '../../errors.ts'

const KEPT_MS = 24 * 60 * 60 * 1000
const DELETED_AT_ONCE = 1_000
/** Visible ASCII. Two headers arrive joined by a comma and a space, which does not match. */
const KEY = /^[\x21-\x7e]{1,255}$/

export const MALFORMED_KEY = 'Idempotency-Key: must be 1 to 255 visible ASCII characters, without spaces, sent once.'
export const OUTCOME_UNKNOWN =
  'A request with this Idempotency-Key was started, and its outcome is unknown: it is still running, or the server stopped while processing it. Check what it created before you send another.'
export const KEY_OF_ANOTHER_REQUEST =
  'This Idempotency-Key was used for another request within the last 24 hours. Each request needs its own key.'

/**
 * Every POST of the key door except file transfers: a download would have to be complete before its first byte is sent,
 * and an upload before it is examined.
 */
export const takesIdempotencyKey = ({ method, consumes, produces }: Endpoint, door: Door): boolean =>
  door === 'key' && method === 'POST' && consumes === undefined && produces === undefined

/**
 * The request as one that takes effect once; undefined without an `Idempotency-Key`.
 *
 * @param externalEffect its effect cannot be rolled back: its start is stored with its first change
 * @throws ApiError BAD_REQUEST for a malformed key
 */
export const keyedRequest = (
  platform: Platform,
  request: FastifyRequest,
  externalEffect: boolean,
): KeyedRequest | undefined => {
  const key = request.headers['idempotency-key']
  const { actor } = request.caller
  if (key === undefined || !actor) return undefined
  if (typeof key !== 'string' || !KEY.test(key)) throw badRequest(MALFORMED_KEY)
  const body = sha256((request.body as Buffer | undefined) ?? '').toString('hex')
  const hashes = signaturesOf(platform.keys.idempotentRequest, `${request.method} ${request.raw.url} ${body}`).map(
    (signature) => Buffer.from(signature, 'base64url'),
  )
  const name = { organizationId: actor.organizationId, apiKeyId: actor.id, key }
  return new KeyedRequest(platform, name, actor.viewer, hashes, request.params as object, externalEffect)
}

interface Answer {
  status: number
  text: string
}

/** Ends a change that another request with this key has already made. */
class AnsweredBefore extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('This request has already been answered.')
    this.answer = answer
  }
}

/**
 * A request with an `Idempotency-Key`. Its answer commits in the transaction of its change, so both exist or neither
 * does. A repetition gets the bytes of the first answer. Refusals and answers without a change are not stored.
 */
export class KeyedRequest {
  readonly #platform: Platform
  readonly #name: AnswerName
  readonly #viewer: EngagementVisibility
  /** With each secret of the server, the newest first. */
  readonly #requestHashes: readonly Buffer[]
  readonly #params: object
  readonly #externalEffect: boolean
  /** Made but not committed. */
  #change: ControlledTransaction<Schema> | undefined
  /** The start of the request is stored. */
  #isBegun = false

  constructor(
    platform: Platform,
    name: AnswerName,
    viewer: EngagementVisibility,
    requestHashes: readonly Buffer[],
    params: object,
    externalEffect: boolean,
  ) {
    this.#platform = platform
    this.#name = name
    this.#viewer = viewer
    this.#params = params
    this.#externalEffect = externalEffect
    this.#requestHashes = requestHashes
  }

  /**
   * The change that `answer` commits. Another request with this key waits before its work: in the lock order, the key
   * comes after the caller's right. One change is one transaction and thus one answer: a second change in a request
   * fails.
   */
  change(db: Database, recheck: (tx: Transaction) => Promise<void>): RunChange {
    if (this.#externalEffect) return this.#changeOutside(db, recheck)
    const recheckAndLock = async (tx: Transaction) => {
      await recheck(tx)
      await lockAnswer(tx, this.#name)
      const answer = await this.#find(tx)
      if (answer) throw new AnsweredBefore(answer)
    }
    return recheckedChange(db, recheckAndLock, this.#platform.waitForTurn, async (on, work) => {
      if (this.#change)
        throw new Error('A request with an Idempotency-Key makes one change, which its answer commits with.')
      const { tx, result } = await openTransaction(on, work)
      this.#change = tx
      return result
    })
  }

  /**
   * For an effect outside: changes commit one by one, the first together with the note that the request started. From
   * then on a request with the same key is refused until there is an answer.
   */
  #changeOutside(db: Database, recheck: (tx: Transaction) => Promise<void>): RunChange {
    return async (work, options) => {
      const result = await recheckedChange(
        db,
        recheck,
        this.#platform.waitForTurn,
      )(async (tx, locked: never) => {
        if (!this.#isBegun) {
          await lockAnswer(tx, this.#name)
          const answer = await this.#find(tx)
          if (answer) throw new AnsweredBefore(answer)
        }
        const done = await work(tx, locked)
        if (!this.#isBegun) await insertAnswer(tx, this.#rowOf(undefined))
        return done
      }, options as never)
      this.#isBegun = true
      return result
    }
  }

  /**
   * Answers with the result of `handle`, serialized by the reply schema, or with the first answer.
   *
   * @param serialize in place of that schema
   * @throws ApiError CONFLICT if the key came with another request, NOT_FOUND or VALIDATION_ERROR if the stored answer
   *   is about an engagement that the caller no longer sees, and what `handle` throws
   */
  async answer(
    reply: FastifyReply,
    handle: () => Promise<unknown>,
    serialize = (result: unknown) => reply.serialize(result) as string,
  ): Promise<FastifyReply> {
    const before = await this.#find(this.#platform.scopedTo(this.#name.organizationId, this.#viewer))
    if (before) return replay(reply, before)
    try {
      const text = serialize(await handle())
      const answer = { status: reply.statusCode, text }
      if (this.#change) await this.#commit(this.#change, answer)
      else if (this.#isBegun)
        await completeAnswer(this.#platform.scopedTo(this.#name.organizationId), this.#name, this.#keptOf(answer))
      return send(reply, answer)
    } catch (error) {
      await this.#change?.rollback().execute()
      if (error instanceof AnsweredBefore) return replay(reply, error.answer)
      throw error
    }
  }

  async #find(db: Database): Promise<Answer | undefined> {
    const { keys, clock } = this.#platform
    const row = await findAnswer(db, this.#name, keptSince(clock))
    if (!row) return undefined
    if (!this.#requestHashes.some((hash) => constantTimeEqual(row.request_hash, hash)))
      throw conflict(KEY_OF_ANOTHER_REQUEST)
    if (!row.is_visible) throw this.#hidden()
    if (row.status === null || row.answer === null) throw conflict(OUTCOME_UNKNOWN)
    return { status: row.status, text: decrypt(keys.idempotentAnswer, row.answer, this.#place) }
  }

  /** The error for an engagement that the caller does not see: named in the path, or in the body. */
  #hidden(): ApiError {
    return Object.keys(this.#params).length > 0 ? notFound() : invalid('engagementId: there is no such engagement')
  }

  async #commit(tx: ControlledTransaction<Schema>, answer: Answer): Promise<void> {
    await insertAnswer(tx, this.#rowOf(answer))
    await tx.commit().execute()
  }

  /** @param answer undefined while there is none */
  #rowOf(answer: Answer | undefined) {
    const { organizationId, apiKeyId, key } = this.#name
    return {
      organization_id: organizationId,
      api_key_id: apiKeyId,
      key,
      request_hash: this.#requestHashes[0] as Buffer,
      ...this.#keptOf(answer),
    }
  }

  #keptOf(answer: Answer | undefined) {
    const { keys, clock } = this.#platform
    return {
      status: answer?.status ?? null,
      answer: answer ? encrypt(keys.idempotentAnswer, answer.text, this.#place) : null,
      created_at: isoTime(clock.now()),
    }
  }

  /** Additional data of the encryption: in another row or organization, the sealed answer does not decrypt. */
  get #place(): string {
    const { organizationId, apiKeyId, key } = this.#name
    return `idempotency_keys.answer ${organizationId} ${apiKeyId} ${key}`
  }
}

const send = (reply: FastifyReply, { status, text }: Answer): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(text)

const replay = (reply: FastifyReply, answer: Answer): FastifyReply =>
  send(reply.header('idempotency-replayed', 'true'), answer)

const keptSince = (clock: Clock): string => isoTime(clock.now() - KEPT_MS)

/** Deletes answers that have expired. */
export const deleteOldAnswers = async (db: Database, clock: Clock): Promise<void> => {
  while ((await deleteAnswersBefore(db, keptSince(clock), DELETED_AT_ONCE)) === DELETED_AT_ONCE) continue
}
