import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countRows } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

export type CheckResult = 'found' | 'missing' | 'unanswered'

export interface DomainRow {
  id: string
  domain: string
  token: string
  proved_at: string | null
  checked_at: string | null
  check_result: CheckResult | null
  created_at: string
}

const SHOWN = ['id', 'domain', 'token', 'proved_at', 'checked_at', 'created_at'] as const

const shown = (db: Database, organizationId: string) =>
  db
    .selectFrom('organization_domains')
    .select(SHOWN)
    .select(({ ref }) => ref('check_result').$castTo<CheckResult | null>().as('check_result'))
    .where('organization_id', '=', organizationId)

export const listDomains = (db: Database, organizationId: string): Promise<DomainRow[]> =>
  shown(db, organizationId).orderBy('domain').execute()

export const findDomain = (db: Database, organizationId: string, domainId: string): Promise<DomainRow | undefined> =>
  shown(db, organizationId).where('id', '=', domainId).executeTakeFirst()

/**
 * Domains of this organization that another one has also proved. Needs a database that shows the rows of every
 * organization.
 *
 * @param since older proofs do not count
 */
export const listContestedDomains = async (db: Database, organizationId: string, since: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('organization_domains as d')
    .innerJoin('organization_domains as other', 'other.domain', 'd.domain')
    .select('d.domain')
    .distinct()
    .where('d.organization_id', '=', organizationId)
    .whereRef('other.organization_id', '<>', 'd.organization_id')
    .where('other.proved_at', '>', since)
    .execute()
  return rows.map(({ domain }) => domain)
}

export const countDomains = (db: Database, organizationId: string): Promise<number> =>
  countRows(db.selectFrom('organization_domains').where('organization_id', '=', organizationId))

/** @returns undefined if the organization already claims it */
export const insertDomain = (
  tx: Transaction,
  domain: { id: string; organization_id: string; domain: string; token: string; created_at: string },
) =>
  tx
    .insertInto('organization_domains')
    .values(domain)
    .onConflict((conflict) => conflict.constraint('organization_domains_once').doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateCheck = async (
  tx: Transaction,
  organizationId: string,
  domainId: string,
  check: { proved_at: string | null; checked_at: string; check_result: CheckResult },
): Promise<void> => {
  await tx
    .updateTable('organization_domains')
    .set(check)
    .where('organization_id', '=', organizationId)
    .where('id', '=', domainId)
    .execute()
}

export const deleteDomain = async (tx: Transaction, organizationId: string, domainId: string): Promise<void> => {
  await tx
    .deleteFrom('organization_domains')
    .where('organization_id', '=', organizationId)
    .where('id', '=', domainId)
    .execute()
}

export const countProvedDomains = (db: Database, organizationId: string, since: string): Promise<number> =>
  countRows(
    db.selectFrom('organization_domains').where('organization_id', '=', organizationId).where('proved_at', '>', since),
  )

/** Proved domains of all organizations, for the daily check. */
export const listProofs = (db: Database) =>
  db
    .selectFrom('organization_domains')
    .select(['id', 'organization_id'])
    .where('proved_at', 'is not', null)
    .orderBy('id')
    .execute()

/**
 * Organizations that a user with an address in this domain joins now: joining by domain is on, only they have proved
 * the domain, and the user is not a member, has not been one before, and has no pending invitation, which may give
 * another role.
 */
export const listToJoin = async (
  db: Database,
  person: { userId: string; domain: string; emailKey: string },
  since: string,
  now: string,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select d.organization_id as id
    from organization_domains d
    join organizations o on o.id = d.organization_id and o.domain_auto_join
    where d.domain = ${person.domain} and d.proved_at > ${since}
      and not exists (select 1 from organization_domains x where x.domain = d.domain and x.organization_id <> d.organization_id and x.proved_at > ${since})
      and not exists (select 1 from memberships m where m.organization_id = d.organization_id and m.user_id = ${person.userId})
      and not exists (select 1 from former_members e where e.organization_id = d.organization_id and e.user_id = ${person.userId})
      and not exists (select 1 from invitations i where i.organization_id = d.organization_id and i.email_key = ${person.emailKey}
        and i.status = 'pending' and i.expires_at > ${now})
    order by 1`.execute(db)
  return rows.map(({ id }) => id)
}
