import { type Actor, authorOf } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { ClientStatusRow } from './findings.queries.ts'

/** What the client says, in a request. */
export type WrittenClientStatus = { state: ClientStatusRow['state']; until?: string | null; reason?: string } | null

/** As it is stored, with who entered it and when. */
export const clientStatusOf = (actor: Actor, clock: Clock, written: WrittenClientStatus): ClientStatusRow | null => {
  if (!written) return null
  const author = authorOf(actor)
  return {
    state: written.state,
    until: written.until ?? null,
    reason: written.reason ?? '',
    by: author === null ? null : { id: author, name: actor.name },
    at: isoTime(clock.now()),
  }
}

/** True if a request says what is stored already. */
export const isSameClientStatus = (stored: ClientStatusRow | null, written: WrittenClientStatus): boolean => {
  if (stored === null || written === null) return stored === null && written === null
  return (
    stored.state === written.state &&
    stored.until === (written.until ?? null) &&
    stored.reason === (written.reason ?? '')
  )
}
