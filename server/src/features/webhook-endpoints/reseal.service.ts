import type { Platform } from '../../platform/context.ts'
import { resealed } from '../../platform/crypto.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { listSealedEndpoints, updateSealedEndpoint } from './reseal.queries.ts'
import { secretContext } from './secrets.ts'

/** After a rotation of `SESSION_SECRET`: encrypts the signing secrets of endpoints with the new one. */
export const resealEndpoints = async ({ db, keys }: Platform): Promise<void> => {
  for (const { id, secret, former_secret: former } of await listSealedEndpoints(db)) {
    const newSecret = resealed(keys.encryption, secret, secretContext(id))
    const newFormer = former && resealed(keys.encryption, former, secretContext(id))
    if (newSecret || newFormer)
      await transaction(db, (tx) =>
        updateSealedEndpoint(tx, id, secret, { secret: newSecret ?? secret, former_secret: newFormer ?? former }),
      )
  }
}
