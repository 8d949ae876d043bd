import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Writer } from '../../../context.ts'
import { recheckedChange } from '../../../database/change.ts'
import type { Database } from '../../../database/connection/open.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { overloaded } from '../../../errors.ts'
import { requestCookies } from '../../answers/cookies.ts'
import type { KeyedRequest } from '../idempotency.ts'
import type { RequestContext } from '../route.ts'
import type { Mounting } from './mounting.ts'
import type { Input } from './parse.ts'

/**
 * Calls the endpoint's handler.
 *
 * @param keyed of a request with an `Idempotency-Key`: its change commits together with its answer
 */
export const call = (
  mounting: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input,
  keyed?: KeyedRequest,
): Promise<unknown> => {
  reply.code(mounting.endpoint.status)
  return mounting.handle(contextOf(mounting, request, reply, input, keyed))
}

/** Extends the socket timeout by what the endpoint declares, and by what the request waits on purpose (`?wait=`). */
export const extendTimeout = (
  { endpoint }: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
  { wait = 0 }: Input['query'],
): void => {
  const seconds = (endpoint.externalEffect?.seconds ?? wait) + (endpoint.responseTimeout?.seconds ?? 0)
  if (seconds === 0) return
  const { socket } = request.raw
  const { timeout = 0 } = socket
  socket.setTimeout(timeout + seconds * 1000)
  reply.raw.once('close', () => socket.setTimeout(timeout))
}

/** In UTF-16 units. Real user agents are shorter. It is scanned and stored. */
const MAX_USER_AGENT_LENGTH = 400

export const userAgentOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH)

/**
 * The platform and the request as a handler sees them. If it acts in an organization, the database shows only that
 * organization's rows.
 */
export const contextOf = (
  { platform, gate, access }: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input,
  keyed: KeyedRequest | undefined,
) => {
  const { actor, person } = request.caller
  const db: Database = actor ? platform.scopedTo(actor.organizationId, actor.viewer) : platform.db
  const recheck = (tx: Transaction) => gate.recheck(tx, request.caller, reply, access)
  const context = {
    ...platform,
    ...input,
    db,
    actor,
    person,
    address: request.ip,
    headers: request.headers,
    holdUpload: (bytes: number) => {
      if (!request.server.uploadBudget.hold(request, reply, bytes)) throw overloaded('request bodies')
    },
    outside: (work: () => Promise<unknown>) => request.outside(work),
    userAgent: userAgentOf(request),
    // Created only for handlers that use it.
    get change() {
      return keyed?.change(db, recheck) ?? recheckedChange(db, recheck, platform.waitForTurn)
    },
    get cookies() {
      return requestCookies(request, reply, platform.config)
    },
  } satisfies Writer & Record<string, unknown>
  return context as unknown as RequestContext<Endpoint>
}
