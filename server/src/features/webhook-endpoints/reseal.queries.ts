import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'

/** Of every organization. */
export const listSealedEndpoints = (db: Database) =>
  db.selectFrom('webhook_endpoints').select(['id', 'secret', 'former_secret']).execute()

/** Does nothing if the secret was replaced meanwhile. */
export const updateSealedEndpoint = async (
  tx: Transaction,
  id: string,
  before: Buffer,
  renewed: { secret: Buffer; former_secret: Buffer | null },
): Promise<void> => {
  await tx.updateTable('webhook_endpoints').set(renewed).where('id', '=', id).where('secret', '=', before).execute()
}
