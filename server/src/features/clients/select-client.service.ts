import type { Actor } from '../../platform/auth/actor.ts'
import { isLimitedKey } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { insertClient, lockClientForShare, lockClientOfNameForShare } from './clients.queries.ts'
import { newClient } from './clients.service.ts'

/** The client of an engagement; both are empty without one. */
export interface SelectedClient {
  clientId: string | null
  clientName: string
}

/**
 * Selects the client of an engagement by id, or by name: the oldest visible client of that name in any letter case, or
 * a new one. Holds its name until the transaction ends, and two concurrent calls with one new name create one client.
 *
 * @param current the client of the engagement so far, which is preferred among those of one name
 * @returns undefined if neither is given
 * @throws ApiError VALIDATION_ERROR for a client that is hidden from the caller, or if both are given and disagree,
 *   FORBIDDEN to a key that is limited to engagements for a new client
 */
export const selectClient = async (
  tx: Transaction,
  clock: Clock,
  actor: Actor,
  { clientId, clientName }: { clientId?: string | null; clientName?: string },
  current: string | null,
): Promise<SelectedClient | undefined> => {
  const { organizationId } = actor
  if (clientId === undefined && clientName === undefined) return undefined
  if (clientId === undefined)
    return clientName === '' ? NONE : selectByName(tx, clock, actor, clientName as string, current)
  const client = clientId === null ? undefined : await lockClientForShare(tx, organizationId, clientId)
  if (clientId !== null && !client) throw invalid('clientId: must be a client that you can see')
  const selected = client ? { clientId: client.id, clientName: client.name } : NONE
  if (clientName !== undefined && folded(clientName) !== folded(selected.clientName))
    throw invalid('clientName: is not the name of the client of clientId')
  return selected
}

const NONE: SelectedClient = { clientId: null, clientName: '' }

const folded = (name: string): string => name.normalize('NFC').toLowerCase()

const selectByName = async (
  tx: Transaction,
  clock: Clock,
  actor: Actor,
  name: string,
  current: string | null,
): Promise<SelectedClient> => {
  const { organizationId } = actor
  const find = () => lockClientOfNameForShare(tx, organizationId, name, current)
  const known = (await find()) ?? (await afterOthers(tx, `client ${organizationId} ${folded(name)}`, find))
  if (known) return { clientId: known.id, clientName: known.name }
  if (isLimitedKey(actor))
    throw forbidden('This key is limited to engagements: it cannot create a client. Select an existing one.')
  const now = clock.now()
  const id = newId('cli', now)
  await insertClient(tx, newClient(actor, id, name, isoTime(now)))
  return { clientId: id, clientName: name }
}

/** Looks again after others who create a client of this name have committed. */
const afterOthers = async <T>(tx: Transaction, lock: string, find: () => Promise<T>): Promise<T> => {
  await acquireFairLocks(tx, { exclusive: [lock] })
  return find()
}
