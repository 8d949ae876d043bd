import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { overloaded, tooLarge } from '../../errors.ts'
import { addressBucket } from '../server/address.ts'
import { BodyBuffer } from './body-buffer.ts'

/** All bodies of a process together, from their arrival until their requests end. */
const MAX_BYTES = 64 * 1024 * 1024
/** The first bytes of each body are not counted: the connection limit bounds them, and a sign-in needs fewer. */
const UNCOUNTED_BYTES = 16_384
/**
 * Shares of the budget: for all requests without a key or session together, and for one organization (or one address
 * without a key or session).
 */
const STRANGERS_SHARE = 1 / 2
const SENDER_SHARE = 1 / 4

declare module 'fastify' {
  interface FastifyInstance {
    /** For uploads that are kept in memory. Separate from other bodies, because uploads may take hours to arrive. */
    uploadBudget: BodyBudget
  }
}

/** Bounds the memory that bodies use (S34). */
export interface BodyBudget {
  /**
   * Reports whether a body of this size fits now. Reserves nothing: a client that announces much and sends nothing
   * blocks no one.
   */
  fits(request: FastifyRequest, bytes: number): boolean
  /**
   * Counts the memory that the body of a request uses so far, until its response ends for any reason.
   *
   * @param bytes at least as many as before
   * @returns false if the budget is exhausted; then it counts nothing
   */
  hold(request: FastifyRequest, reply: FastifyReply, bytes: number): boolean
}

/** @param largestBody in bytes: one sender may have one body of this size, whatever its other bodies use */
export const createBodyBudget = (
  largestBody: number,
  maxBytes = Math.max(MAX_BYTES, largestBody / SENDER_SHARE),
): BodyBudget => {
  const ofSenders = new Map<string, number>()
  let ofStrangers = 0
  let ofAll = 0
  const held = new WeakMap<FastifyRequest, number>()

  const fits = ({ name, isStranger }: Sender, more: number): boolean =>
    ofAll + more <= maxBytes &&
    (ofSenders.get(name) ?? 0) + more <= maxBytes * SENDER_SHARE &&
    (!isStranger || ofStrangers + more <= maxBytes * STRANGERS_SHARE)

  const count = ({ name, isStranger }: Sender, more: number) => {
    ofAll += more
    if (isStranger) ofStrangers += more
    const ofSender = (ofSenders.get(name) ?? 0) + more
    if (ofSender > 0) ofSenders.set(name, ofSender)
    else ofSenders.delete(name)
  }

  return {
    fits: (request, bytes) => fits(senderOf(request), Math.max(1, bytes - UNCOUNTED_BYTES)),
    hold: (request, reply, bytes) => {
      const before = held.get(request)
      const more = Math.max(0, bytes - UNCOUNTED_BYTES) - (before ?? 0)
      // If the response has ended, nothing would release the bytes.
      if (more <= 0 || reply.raw.closed) return true
      const sender = senderOf(request)
      if (!fits(sender, more)) return false
      count(sender, more)
      held.set(request, (before ?? 0) + more)
      if (before === undefined) reply.raw.once('close', () => count(sender, -(held.get(request) ?? 0)))
      return true
    },
  }
}

interface Sender {
  name: string
  /** Has no key and no session. */
  isStranger: boolean
}

/** Uses the decision of the door, which precedes the body. */
const senderOf = ({ caller, ip }: FastifyRequest): Sender => {
  const known = caller?.actor?.organizationId ?? caller?.person?.userId
  return known === undefined ? { name: addressBucket(ip), isStranger: true } : { name: known, isStranger: false }
}

/** Undefined if the length is not known before the end. */
const announcedBytes = ({ headers }: FastifyRequest): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

/** Reads bodies within the budget and answers 503 with `Retry-After` beyond it. Handlers read uploads themselves. */
export const readBodies = (app: FastifyInstance, budget: BodyBudget): void => {
  const replies = new WeakMap<FastifyRequest, FastifyReply>()
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { bodyLimit, config } = request.routeOptions
    const announced = announcedBytes(request)
    const isCounted = !config.isUpload && (announced === undefined || announced > UNCOUNTED_BYTES)
    if (isCounted) replies.set(request, reply)
    // A body over the limit of its endpoint is refused for that, below.
    if (isCounted && !budget.fits(request, Math.min(announced ?? 0, bodyLimit))) done(overloaded('request bodies'))
    else done(null, payload)
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    const { bodyLimit: limit } = request.routeOptions
    const announced = announcedBytes(request) ?? limit
    if (announced > limit) return done(tooLarge(limit))
    const body = new BodyBuffer(announced)
    const reply = replies.get(request)
    const finish = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', finish)
      done(error, error ? undefined : body.bytes)
    }
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length > limit) return finish(tooLarge(limit))
      if (reply && !budget.hold(request, reply, body.sizeWith(chunk))) return finish(overloaded('request bodies'))
      body.append(chunk)
    }
    const onEnd = () => finish(null)
    payload.on('data', onData).on('end', onEnd).on('error', finish).resume()
  })
}
