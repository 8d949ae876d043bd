import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../doors.ts'
import type { Mounting } from './mounting.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** The body was still arriving when the door decided: the caller may have lost the right since then. */
    bodyWasPending: boolean
  }
}

/**
 * Decides at the door, before the body is read: who calls, the rate limit, the permission (open point 13). @throws
 * ApiError
 */
export const admit = async (
  { gate, access }: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  request.caller = await gate.admit(request, reply, access)
  request.bodyWasPending = !request.raw.complete
}

/** Decides again after a body that was still arriving. @throws ApiError */
export const readmit = async (
  { gate, access }: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  if (request.bodyWasPending) request.caller = await gate.readmit(request, reply, access)
}

/** Counts a request of an expensive endpoint. @throws ApiError RATE_LIMITED */
export const admitCost = async (
  { endpoint, costs }: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
  query: object,
): Promise<void> => {
  if (endpoint.cost) await costs(endpoint, request.caller, query, reply)
}
