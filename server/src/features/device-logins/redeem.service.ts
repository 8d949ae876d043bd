import type { Scope } from '@sortie/contract/core/scopes.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/context.ts'
import { plainChange } from '../../platform/database/change.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { endKey as deleteKey, issueKey } from '../api-keys/api-keys.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { lockMemberActor } from '../organizations/members/acting-member.service.ts'
import { hashDeviceCode } from './codes.ts'
import * as query from './device-logins.queries.ts'
import { grantedScopes, isConfirmed, noteUse } from './device-logins.service.ts'

/** Errors of RFC 8628, section 3.5, and of RFC 6749, section 5.2. */
export type TokenError =
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'
  | 'invalid_grant'
  | 'invalid_target'

export type TokenAnswer =
  | { error: TokenError; description: string }
  | { value: string; scopes: readonly Scope[]; expiresAt: string | null }

/** Seconds that each too early request adds (RFC 8628, section 3.5). */
const SLOWER_BY_SECONDS = 5
const MAX_POLL_SECONDS = 60
/** A request may be this much too early: networks delay some more than others. In milliseconds. */
const TOLERANCE_MS = 1_000

/**
 * Answers a terminal that asks for its key. The key is made here, so its value exists only in this answer. Within the
 * transaction, the membership behind it cannot end. A code that is used again ends the key that it made: one of its two
 * holders is not the terminal.
 */
export const redeemDeviceCode = async (
  platform: Platform,
  { deviceCode, client, address }: { deviceCode: string; client: string; address: string },
): Promise<TokenAnswer> => {
  const hash = hashDeviceCode(deviceCode)
  return plainChange(platform.db)(async (tx): Promise<TokenAnswer> => {
    const seen = await query.findByDeviceCode(tx, hash)
    if (!seen) return refusal('invalid_grant', 'There is no such device code.')
    const { organization_id: organizationId, approved_by: approverId } = seen
    // Before the code: an approval locks the membership, then the code.
    const approver =
      organizationId !== null && approverId !== null
        ? await lockMemberActor(tx, { organizationId, id: approverId, address })
        : undefined
    const row = await query.lockByDeviceCode(tx, hash)
    if (!row || row.client_id !== null || row.client !== client)
      return refusal('invalid_grant', 'There is no such device code.')
    if (row.state === 'used') return endKey(tx, platform, row)
    const now = platform.clock.now()
    if (Date.parse(row.expires_at) <= now) return refusal('expired_token', 'The code has expired. Start again.')
    if (row.state === 'denied') return refusal('access_denied', 'The login was refused.')
    const isEarly = row.polled_at !== null && Date.parse(row.polled_at) + row.poll_interval * 1000 - TOLERANCE_MS > now
    const slower = Math.min(MAX_POLL_SECONDS, row.poll_interval + SLOWER_BY_SECONDS)
    await query.updateAuthorization(tx, row.id, {
      polled_at: isoTime(now),
      ...(isEarly && { poll_interval: slower }),
    })
    if (isEarly) return refusal('slow_down', `Ask every ${slower} seconds.`)
    // Also if it was approved after the first look: the next request sees it.
    if (row.state === 'pending' || row.approved_by !== approverId)
      return refusal('authorization_pending', 'Enter the code in the browser, and approve it.')
    const role = approver?.role
    if (!approver || role === undefined || row.key_expires_at === null)
      return refusal('access_denied', 'The person who approved the login is no longer a member.')
    if (!isConfirmed(row, role))
      return refusal(
        'authorization_pending',
        'Approved. An owner or admin of the organization must confirm it: in the settings, under API keys.',
      )
    const scopes = grantedScopes(row, role)
    const engagements = await engagementsOf(tx, row)
    if (scopes.length === 0 || engagements.engagementIds?.length === 0 || Date.parse(row.key_expires_at) <= now)
      return refusal('access_denied', 'Nothing is left of what was approved.')
    const { key, value } = await issueKey(
      tx,
      platform,
      { by: approver, createdBy: approver.id, owner: { kind: 'login', ownerId: approver.id } },
      {
        name: row.key_name ?? row.client,
        environment: 'live',
        scopes,
        ...engagements,
        expiresAt: row.key_expires_at,
      },
    )
    await noteUse(tx, row.id, key.id)
    return { value, scopes, expiresAt: key.expires_at }
  })
}

export const refusal = (error: TokenError, description: string) => ({ error, description })

type Authorization = NonNullable<Awaited<ReturnType<typeof query.lockByDeviceCode>>>

/** Without engagements that were deleted since. */
const engagementsOf = async (
  tx: Transaction,
  row: Authorization,
): Promise<{ engagementIds?: 'open' | readonly string[] }> => {
  if (row.engagement_access === 'all') return {}
  if (row.engagement_access !== 'listed') return { engagementIds: 'open' }
  return { engagementIds: await query.listVisible(tx, row.organization_id as string, row.engagement_ids ?? []) }
}

/** Ends the key of a code that is used again. */
export const endKey = async (
  tx: Transaction,
  { clock }: Platform,
  row: Pick<Authorization, 'organization_id' | 'key_id'>,
): Promise<TokenAnswer> => {
  const deleted =
    row.organization_id !== null && row.key_id !== null
      ? await deleteKey(tx, row.organization_id, row.key_id)
      : undefined
  if (deleted && row.organization_id !== null)
    await recordAudit(
      tx,
      { system: 'sign-in of a program: a code was used twice', organizationId: row.organization_id },
      clock,
      {
        action: 'api-key.deleted',
        object: { type: 'api-key', id: deleted.id },
        before: { name: deleted.name, environment: deleted.environment, scopes: deleted.scopes },
      },
    )
  return refusal('invalid_grant', 'This code was used before. The key that it made is deleted: start again.')
}
