import type { Scope } from '@sortie/contract/core/scopes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { notifyAdmins } from '../account-emails/account-emails.service.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { changeOrganization } from '../organizations/organization-change.service.ts'
import * as query from './api-keys.queries.ts'
import { generateKey, type KeyEnvironment } from './authenticate.ts'

/** We recommend one key per integration; this many are a mistake in a script. */
const MAX_KEYS_PER_ORGANIZATION = 5_000

export interface WantedKey {
  name: string
  environment: KeyEnvironment
  scopes: readonly Scope[]
  /** Undefined: every engagement. `open`: those that the whole organization sees. A list: only these. */
  engagementIds?: 'open' | readonly string[]
  /** ISO 8601. Undefined: it does not expire. */
  expiresAt?: string
}

/** @returns the row and, only in this response, the key's value */
export const createApiKey = ({ change, clock, jobs }: Writer, actor: Actor, wanted: WantedKey) =>
  change((tx) => issueKey(tx, { clock, jobs }, { by: actor, createdBy: actor.id }, wanted))

/** The person or member who creates a key, and for a key within a person's rights, that person. */
interface Issuer {
  by: AuditedBy & { organizationId: string }
  /** Id of a user. */
  createdBy: string
  /** Without it, the key belongs to the organization. */
  owner?: { kind: 'login'; ownerId: string } | { kind: 'agent'; ownerId: string; agentId: string }
}

/**
 * Creates a key in a transaction that has checked and locked the right to it.
 *
 * @returns the row and, only here, the key's value
 * @throws ApiError CONFLICT beyond the limit, VALIDATION_ERROR for an engagement that does not exist or a past expiry
 */
export const issueKey = async (
  tx: Transaction,
  { clock, jobs }: Pick<Writer, 'clock' | 'jobs'>,
  { by, createdBy, owner }: Issuer,
  wanted: WantedKey,
) => {
  const { organizationId } = by
  if ((await query.countApiKeys(tx, organizationId)) >= MAX_KEYS_PER_ORGANIZATION) {
    throw conflict(
      `This organization has ${MAX_KEYS_PER_ORGANIZATION} API keys, which is the limit. Delete those that are unused.`,
    )
  }
  const value = generateKey(wanted.environment)
  const now = clock.now()
  if (wanted.expiresAt !== undefined && Date.parse(wanted.expiresAt) <= now)
    throw invalid('expiresAt: must be in the future')
  const key = await query.insertApiKey(tx, {
    id: newId('key', now),
    organization_id: organizationId,
    name: wanted.name,
    environment: wanted.environment,
    scopes: [...wanted.scopes],
    engagement_access: wanted.engagementIds === undefined ? 'all' : wanted.engagementIds === 'open' ? 'open' : 'listed',
    secret_hash: sha256(value),
    kind: owner?.kind ?? 'key',
    owner_id: owner?.ownerId ?? null,
    agent_id: owner?.kind === 'agent' ? owner.agentId : null,
    expires_at: wanted.expiresAt ?? null,
    created_by: createdBy,
    created_at: isoTime(now),
    last_used_at: null,
  })
  const engagementIds = Array.isArray(wanted.engagementIds) ? wanted.engagementIds : null
  if (engagementIds) await limitKey(tx, organizationId, key.id, engagementIds)
  await recordAudit(tx, by, clock, {
    action: 'api-key.created',
    object: { type: 'api-key', id: key.id },
    after: {
      name: key.name,
      environment: key.environment,
      scopes: key.scopes,
      ...(key.kind !== 'key' && { kind: key.kind }),
      ...(wanted.engagementIds && { engagementIds: wanted.engagementIds }),
      ...(key.expires_at !== null && { expiresAt: key.expires_at }),
    },
  })
  const what = key.kind === 'key' ? `the ${key.environment} key` : `the key of the kind ${key.kind}`
  const line = `${nameOf(by)} created ${what} "${key.name}", which may: ${key.scopes.join(', ')}.`
  await notifyAdmins(tx, jobs, clock, organizationId, { kind: 'api-keys-changed', line })
  return { key: { ...key, engagement_ids: engagementIds }, value }
}

const nameOf = (by: AuditedBy): string => {
  if ('person' in by) return by.person.name
  return 'kind' in by ? by.name : by.system
}

/** @throws ApiError VALIDATION_ERROR for an engagement that does not exist */
const limitKey = async (
  tx: Transaction,
  organizationId: string,
  keyId: string,
  engagementIds: readonly string[],
): Promise<void> => {
  const known = await query.lockEngagementsForShare(tx, organizationId, engagementIds)
  const unknown = engagementIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw invalid(`engagementIds.${unknown}: must be an engagement of this organization`)
  await query.insertKeyEngagements(tx, organizationId, keyId, engagementIds)
}

/**
 * Every request that starts after this returns is refused: valid keys are not cached. Waits for changes that the key is
 * making.
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
    const line = `${actor.name} deleted the ${key.environment} key "${key.name}". Programs that still use it get 401.`
    await notifyAdmins(tx, jobs, clock, actor.organizationId, { kind: 'api-keys-changed', line })
  })

/** A key deletes itself: its holder signs out. Waits for other changes that the key is making. */
export const deleteOwnKey = ({ change, clock }: Writer, actor: Actor): Promise<void> =>
  change(
    async (tx) => {
      const key = await query.deleteApiKey(tx, actor.organizationId, actor.id)
      if (!key) throw notFound()
      await recordAudit(tx, actor, clock, {
        action: 'api-key.deleted',
        object: { type: 'api-key', id: key.id },
        before: { name: key.name, environment: key.environment, scopes: key.scopes },
      })
    },
    // Before the caller is checked: of two requests that both hold the shared lock, neither could get this one.
    { first: (tx) => query.lockApiKeyForRevocation(tx, actor.organizationId, actor.id) },
  )

/** Once the transaction commits, no key is limited to this engagement or has access to it through a list. */
export const closeToKeys = query.deleteKeyEngagement

/** Deletes all keys of all organizations. @returns the organization of each; the caller writes the audit entries */
export const deleteEveryApiKey = (tx: Transaction): Promise<string[]> => query.deleteEveryApiKey(tx)

/** Deletes a key in a transaction that has checked the right to it. Waits for the changes that the key is making. */
export const endKey = query.deleteApiKey

/**
 * Stops keys, or starts them again. Waits for the changes that they are making; those that come later are refused.
 *
 * @param at the moment of the stop; null starts them
 */
export const stopKeys = query.setKeysStopped

export const renameKey = query.renameKey
