import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict } from '../../../platform/errors.ts'
import { requireSilence } from '../../../platform/files/beat.ts'
import { type Comparison, isOwnStorage, rebindStorage } from '../../../platform/files/binding.ts'
import { enterSafeMode } from '../../../platform/safe-mode/state.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import { compareStorage } from './compare-storage.ts'

const REASON = 'The database was bound to another storage of files.'

export interface Rebound extends Comparison {
  /** True if they already belong together: then there is nothing to do. */
  isBound: boolean
}

/** Compares the database with the stored files, without a change. */
export const compareBinding = async (writer: Writer): Promise<Rebound> => ({
  ...(await compareStorage(writer)),
  isBound: await isOwnStorage(writer),
})

/**
 * Binds the database to the storage of files, whatever either belonged to before, and enters safe mode.
 *
 * @throws ApiError CONFLICT if they already belong together, and while a server uses it
 */
export const rebind = async (writer: Writer, by: AuditedBy): Promise<void> => {
  const { clock, storage, change } = writer
  if (await isOwnStorage(writer)) throw conflict(`${storage.name} already belongs to this database.`)
  await requireSilence(writer)
  await change(async (tx) => {
    await enterSafeMode(tx, REASON, isoTime(clock.now()))
    await recordAudit(tx, by, clock, {
      action: 'instance.storage-bound',
      object: { type: 'instance', id: 'instance' },
      after: { storagePath: storage.name },
    })
  })
  await rebindStorage(writer)
}
