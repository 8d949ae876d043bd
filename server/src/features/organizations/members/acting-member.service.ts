import { scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { type Actor, viewerOf } from '../../../platform/auth/actor.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Requester } from '../../../platform/feature.ts'
import { lockMemberForShare } from './members.queries.ts'

/**
 * The member with their current role, without a session: for jobs that continue after the member signs out. The member
 * cannot be removed or demoted until the transaction ends.
 */
export const lockMemberActor = async (
  tx: Transaction,
  { organizationId, id, address }: Requester,
): Promise<Actor | undefined> => {
  const member = await lockMemberForShare(tx, organizationId, id)
  if (!member) return undefined
  const role = member.role
  return {
    kind: 'user',
    id,
    name: member.name,
    organizationId,
    role,
    viewer: viewerOf(role, id),
    scopes: new Set(scopesOfRole(role)),
    address,
  }
}
