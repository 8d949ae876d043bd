import type { Insertable } from 'kysely'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Files } from '../../platform/database/types.gen.ts'
import { deleteFile, type FileOwner, insertFile } from './files.queries.ts'

/** Records a file that the server has made and stored; the change that it belongs to is what is audited. */
export const recordMadeFile = (tx: Transaction, file: Insertable<Files>): Promise<void> => insertFile(tx, file)

/** Deletes the row of a file that its object does not use any more; a job removes its bytes. */
export const removeMadeFile = async (
  tx: Transaction,
  organizationId: string,
  owner: FileOwner,
  fileId: string,
): Promise<void> => {
  await deleteFile(tx, organizationId, owner, fileId)
}
