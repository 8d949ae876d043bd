import type { SignInMethod } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import { randomToken, sha256 } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import * as query from './pending-sign-ins.queries.ts'

export const TICKET_LIFETIME_MS = 5 * 60 * 1000
const TRIES_PER_TICKET = 5
const TICKETS_PER_USER = 3

/** Result of the first step of a sign-in, kept until the second. */
interface Proved {
  method: SignInMethod
  providerSession: Buffer | null
  verifiedEmail: string | null
}

/** @returns a ticket for a successful first step */
export const issueTicket = async (tx: Transaction, clock: Clock, userId: string, proved: Proved): Promise<string> => {
  const ticket = randomToken()
  const now = clock.now()
  await query.insertTicket(
    tx,
    {
      token_hash: sha256(ticket),
      user_id: userId,
      created_at: isoTime(now),
      expires_at: isoTime(now + TICKET_LIFETIME_MS),
      method: proved.method,
      provider_session: proved.providerSession,
      verified_email: proved.verifiedEmail,
    },
    TICKETS_PER_USER,
  )
  return ticket
}

/** Counts a try before it is made. @returns true if the ticket had one left */
export const countAttempt = (db: Database, clock: Clock, ticketHash: Buffer): Promise<boolean> =>
  query.countAttempt(db, ticketHash, isoTime(clock.now()), TRIES_PER_TICKET)

/** @returns false if it is gone: a ticket opens one session */
export const useTicket = (tx: Transaction, ticketHash: Buffer): Promise<boolean> => query.deleteTicket(tx, ticketHash)

export const endTickets = (tx: Transaction, userId: string): Promise<void> => query.deleteTicketsOfUser(tx, userId)

export const endEveryTicket = (tx: Transaction): Promise<void> => query.deleteEveryTicket(tx)
