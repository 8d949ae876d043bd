import type { Scope } from '@sortie/contract/scopes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { Writer } from '../../platform/http/context.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { notifyAdmins } from '../notifications/notifications.service.ts'
import { changeOrganization } from '../organizations/organization-change.service.ts'
import * as query from './api-keys.queries.ts'
import { generateKey, type KeyEnvironment } from './authenticate.ts'

/** One key per integration is the advice; this many is a mistake in a script. */
const MAX_KEYS_PER_ORGANIZATION = 5_000

/** @returns the row and, for this one answer, the key's value */
export const createApiKey = ({ change, clock, jobs }: Writer, actor: Actor, wanted: { name: string; environment: KeyEnvironment; scopes: readonly Scope[] }) =>
  change(async (tx) => {
    if ((await query.countApiKeys(tx, actor.organizationId)) >= MAX_KEYS_PER_ORGANIZATION) {
      throw conflict(`This organization has ${MAX_KEYS_PER_ORGANIZATION} API keys, which is the limit. Delete those that are unused.`)
    }
    const value = generateKey(wanted.environment)
    const now = clock.now()
    const key = await query.insertApiKey(tx, {
      id: newId('key', now),
      organization_id: actor.organizationId,
      name: wanted.name,
      environment: wanted.environment,
      scopes: [...wanted.scopes],
      secret_hash: sha256(value),
      created_by: actor.id,
      created_at: isoTime(now),
      last_used_at: null,
    })
    await recordAudit(tx, actor, clock, {
      action: 'api-key.created',
      object: { type: 'api-key', id: key.id },
      after: { name: key.name, environment: key.environment, scopes: key.scopes },
    })
    const line = `${actor.name} created the ${key.environment} key "${key.name}", which may: ${key.scopes.join(', ')}.`
    await notifyAdmins(tx, jobs, clock, actor.organizationId, { kind: 'api-keys-changed', line })
    return { key, value }
  })

/**
 * Dead for every request that starts after this returns: nobody keeps valid keys in memory. Changes that the key is making
 * end before.
 */
export const deleteApiKey = ({ change, clock, jobs }: Writer, actor: Actor, keyId: string): Promise<void> =>
  changeOrganization(change, actor, async (tx) => {
    const key = await query.deleteApiKey(tx, actor.organizationId, keyId)
    if (!key) throw notFound()
    await recordAudit(tx, actor, clock, {
      action: 'api-key.deleted',
      object: { type: 'api-key', id: key.id },
      before: { name: key.name, environment: key.environment, scopes: key.scopes },
    })
    const line = `${actor.name} deleted the ${key.environment} key "${key.name}". Whatever still uses it is answered 401.`
    await notifyAdmins(tx, jobs, clock, actor.organizationId, { kind: 'api-keys-changed', line })
  })

/** All keys of all organizations. @returns the organization of each; whoever asks writes the audit entries */
export const deleteEveryApiKey = (tx: Transaction): Promise<string[]> => query.deleteEveryApiKey(tx)
