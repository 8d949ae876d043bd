import type { Database } from '../../platform/database/connection/open.ts'

/** Of every organization. */
export const listSealedEndpoints = (db: Database) =>
  db.selectFrom('webhook_endpoints').select(['id', 'secret', 'former_secret']).execute()

/** Does nothing if the secret was replaced meanwhile. */
export const updateSealedEndpoint = async (
  db: Database,
  id: string,
  before: Buffer,
  renewed: { secret: Buffer; former_secret: Buffer | null },
): Promise<void> => {
  await db.updateTable('webhook_endpoints').set(renewed).where('id', '=', id).where('secret', '=', before).execute()
}
