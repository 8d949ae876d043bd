import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { ApiError, ConfigurationError } from '../../platform/errors.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { countUsers } from '../auth/accounts/accounts.queries.ts'
import { createAccount } from '../auth/accounts/accounts.service.ts'
import type { Passwords } from '../auth/passwords/passwords.ts'
import { addMember } from '../organizations/members/members.service.ts'
import { createOrganization } from '../organizations/organizations.service.ts'

/**
 * On a database without accounts: creates the first organization and its owner, who also administers the instance. Runs
 * under the migration lock, so that only one of several first starts does it.
 *
 * @returns true if it was the first start
 * @throws ConfigurationError for an `ADMIN_PASSWORD` that is missing or breaks the password rules
 */
export const createFirstOrganization = async (
  db: Database,
  config: Config,
  clock: Clock,
  passwords: Passwords,
): Promise<boolean> => {
  if ((await countUsers(db)) > 0) return false
  const passwordHash = await hashFirst(config, passwords)
  await transaction(db, async (tx) => {
    const owner = await createAccount(tx, clock, {
      name: 'Administrator',
      email: config.ADMIN_EMAIL,
      passwordHash,
      isInstanceAdmin: true,
    })
    if (!owner) throw new Error('the first account could not be created')
    const organization = await createOrganization(tx, clock, {
      name: config.ORGANIZATION_NAME,
      plan: config.DEFAULT_PLAN,
    })
    await addMember(tx, clock, organization.id, owner, 'owner')
    await recordAudit(tx, { system: 'first start', organizationId: organization.id }, clock, {
      action: 'organization.created',
      object: { type: 'organization', id: organization.id },
      after: { name: organization.name, slug: organization.slug, ownerId: owner.id },
    })
  })
  return true
}

/** There is no default: a published one would open every instance whose operator did not change it (finding S28). */
const hashFirst = async ({ ADMIN_PASSWORD, ADMIN_EMAIL }: Config, passwords: Passwords): Promise<string> => {
  if (ADMIN_PASSWORD === undefined) {
    throw new ConfigurationError([
      `ADMIN_PASSWORD: is missing; the first start creates the account ${ADMIN_EMAIL} with it. Set it in the environment or in the settings file (.env, or ENV_FILE)`,
    ])
  }
  try {
    return await passwords.hash(ADMIN_PASSWORD, [ADMIN_EMAIL], 'ADMIN_PASSWORD')
  } catch (error) {
    throw error instanceof ApiError && error.code === 'VALIDATION_ERROR'
      ? new ConfigurationError([error.message])
      : error
  }
}
