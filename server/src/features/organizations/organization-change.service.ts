import type { RunChange, ChangeOptions } from '../../platform/database/change.ts'
import { RIGHTS, acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import type { AuditedBy } from '../audit/audit.service.ts'
import { lockAccountForShare } from '../auth/accounts/accounts.queries.ts'
import { lockOrganization, lockAccountOfMemberForShare } from './organizations.queries.ts'

type Organization = NonNullable<Awaited<ReturnType<typeof lockOrganization>>>

interface OrganizationChange extends Pick<ChangeOptions<unknown>, 'db'> {
  /** Id of the user whose membership changes. */
  member?: string
  /** True if it changes the rules under which members may change the organization. */
  ofRules?: boolean
}

/** The actor of an organization's change. */
export type ChangedBy = AuditedBy & { organizationId: string }

/**
 * Opens a change of an organization: its settings, members, invitations, keys, domains or links. Such changes wait for
 * each other, so that of two that revoke each other's permission the second is refused.
 *
 * @throws ApiError NOT_FOUND without such an organization, and what `change` throws
 */
export const changeOrganization = <T>(
  change: RunChange,
  by: ChangedBy,
  work: (tx: Transaction, organization: Organization) => Promise<T>,
  { db, ...options }: OrganizationChange = {},
): Promise<T> =>
  change(
    (tx, organization) => {
      if (!organization) throw notFound()
      return work(tx, organization)
    },
    { turn: by.organizationId, first: (tx: Transaction) => lockForChange(tx, by, options), ...(db && { db }) },
  )

/**
 * The locks of `changeOrganization`, for callers that lock other rows first. Lock accounts before organizations.
 * The change takes the turn of the organization (`ChangeOptions.turn`).
 */
export const lockForChange = async (
  tx: Transaction,
  by: ChangedBy,
  { member, ofRules = false }: Omit<OrganizationChange, 'db'> = {},
) => {
  const { organizationId } = by
  const userId = userOf(by)
  if (userId !== undefined) await lockAccountForShare(tx, userId)
  if (member !== undefined) await lockAccountOfMemberForShare(tx, organizationId, member)
  const organization = await lockOrganization(tx, organizationId)
  if (ofRules) await acquireFairLocks(tx, { exclusive: [RIGHTS.rules(organizationId)] })
  return organization
}

const userOf = (by: AuditedBy): string | undefined => {
  if ('person' in by) return by.person.userId
  return 'kind' in by && by.kind === 'user' ? by.id : undefined
}
