import type { Transaction } from '../../../platform/database/transaction.ts'
import { deleteEveryDevice } from './devices.queries.ts'
import { deleteEverySession } from './sessions.queries.ts'
import { deleteEveryTicket } from './tickets.queries.ts'

/** Everybody signs in anew, from devices that nobody knows. @returns how many sessions and devices there were */
export const endEverySession = async (tx: Transaction): Promise<{ sessions: number; devices: number }> => {
  await deleteEveryTicket(tx)
  return { sessions: await deleteEverySession(tx), devices: await deleteEveryDevice(tx) }
}
