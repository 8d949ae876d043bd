import { viewerOf } from '../../platform/auth/actor.ts'
import type { Platform } from '../../platform/context.ts'
import { constantTimeEqual, sha256 } from '../../platform/crypto.ts'
import { plainChange } from '../../platform/database/change.ts'
import { ApiError } from '../../platform/errors.ts'
import { makeAgent } from '../agents/agents.service.ts'
import { findByDeviceCode, listVisible, lockByDeviceCode } from '../device-logins/device-logins.queries.ts'
import { grantedScopes, isConfirmed, noteUse } from '../device-logins/device-logins.service.ts'
import { endKey, refusal, type TokenAnswer } from '../device-logins/redeem.service.ts'
import { lockMemberActor } from '../organizations/members/acting-member.service.ts'
import { hashAuthorizationCode } from './oauth.service.ts'

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export interface CodeExchange {
  code: string
  clientId: string
  redirectUri: string
  verifier: string
  resource: string | undefined
  address: string
}

/**
 * Exchanges an authorization code for the key of a new agent (RFC 6749, section 4.1.3). The agent is made here, so the
 * value of its key exists only in this answer. Within the transaction, the membership behind it cannot end. A code that
 * is used again ends the key that it made: one of its two holders is not the client.
 */
export const redeemAuthorizationCode = async (platform: Platform, exchange: CodeExchange): Promise<TokenAnswer> => {
  try {
    return await makeKey(platform, exchange)
  } catch (error) {
    // The person's rights, or the limits of the organization, do not permit what was approved.
    if (error instanceof ApiError && ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'].includes(error.code))
      return refusal('invalid_grant', error.message)
    throw error
  }
}

const UNKNOWN = 'There is no such code.'

const makeKey = (platform: Platform, exchange: CodeExchange): Promise<TokenAnswer> => {
  const hash = hashAuthorizationCode(exchange.code)
  return plainChange(platform.db)(async (tx): Promise<TokenAnswer> => {
    const seen = await findByDeviceCode(tx, hash)
    if (!seen?.organization_id || seen.approved_by === null) return refusal('invalid_grant', UNKNOWN)
    const { organization_id: organizationId, approved_by: approverId } = seen
    // Before the code: an approval locks the membership, then the code.
    const approver = await lockMemberActor(tx, { organizationId, id: approverId, address: exchange.address })
    const row = await lockByDeviceCode(tx, hash)
    if (!row || row.client_id === null || row.client_id !== exchange.clientId) return refusal('invalid_grant', UNKNOWN)
    if (row.state === 'used') return endKey(tx, platform, row)
    const now = platform.clock.now()
    if (row.state !== 'approved' || Date.parse(row.expires_at) <= now)
      return refusal('invalid_grant', 'The code has expired, or was refused. Start again.')
    if (row.redirect_uri !== exchange.redirectUri)
      return refusal('invalid_grant', 'redirect_uri must be that of the authorization request.')
    if (!isVerified(row.code_challenge, exchange.verifier))
      return refusal('invalid_grant', 'code_verifier must be the one behind the code_challenge.')
    if (exchange.resource !== undefined && exchange.resource !== row.resource)
      return refusal('invalid_target', `resource must be ${row.resource}.`)
    if (!approver?.role || row.key_expires_at === null || !isConfirmed(row, approver.role))
      return refusal('invalid_grant', 'The person who approved this may no longer do so.')
    const viewer = viewerOf(approver.role, approverId)
    const engagementIds = await listVisible(
      platform.scopedTo(organizationId, viewer),
      organizationId,
      row.engagement_ids ?? [],
    )
    const scopes = grantedScopes(row, approver.role)
    if (scopes.length === 0 || engagementIds.length === 0 || Date.parse(row.key_expires_at) <= now)
      return refusal('invalid_grant', 'Nothing is left of what was approved.')
    const { agent, value } = await makeAgent(
      tx,
      platform,
      { actor: approver, isConfirmed: row.confirmed_by !== null && row.confirmed_by !== approverId },
      {
        name: row.key_name ?? row.client,
        description: `Signed in by OAuth as ${row.client}`,
        engagementIds,
        scopes,
        expiresAt: row.key_expires_at,
      },
    )
    await noteUse(tx, row.id, agent.key_id)
    return { value, scopes, expiresAt: agent.expires_at }
  })
}

const isVerified = (challenge: string | null, verifier: string): boolean =>
  challenge !== null &&
  VERIFIER.test(verifier) &&
  constantTimeEqual(sha256(verifier), Buffer.from(challenge, 'base64url'))
