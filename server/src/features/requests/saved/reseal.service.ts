import type { Platform } from '../../../platform/context.ts'
import { resealed } from '../../../platform/crypto.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { secretContext } from '../secrets.ts'
import { listSealedSecrets, SEALED_COLUMNS, updateSealedSecret } from './reseal.queries.ts'

const PAGE_ROWS = 500

/** After a rotation of `SESSION_SECRET`: encrypts the secrets of requests, folders and environments with the new one. */
export const resealRequests = async ({ db, keys }: Platform): Promise<void> => {
  for (const column of SEALED_COLUMNS) {
    for (let after = ''; ;) {
      const rows = await listSealedSecrets(db, column, after, PAGE_ROWS)
      for (const { id, organization_id: organizationId, sealed } of rows) {
        const renewed = resealed(keys.encryption, sealed, secretContext({ organizationId, column, id }))
        if (renewed)
          await transaction(db, (tx) => updateSealedSecret(tx, column, { id, organizationId }, sealed, renewed))
      }
      after = rows.at(-1)?.id ?? ''
      if (rows.length < PAGE_ROWS) break
    }
  }
}
