import * as contract from '@sortie/contract/organization/domains.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { type DomainRow, listContestedDomains, listDomains } from './domains.queries.ts'
import { checkDomain, claimDomain, recordName, removeDomain } from './domains.service.ts'
import { provedSince } from './proof-age.ts'

/** @param everywhere shows the rows of every organization: one organization cannot see that its domain is contested */
export const domainRoutes = (everywhere: Database): Route[] => {
  const toDomains = async (rows: DomainRow[], organizationId: string, clock: Clock) => {
    const contested = new Set(await listContestedDomains(everywhere, organizationId, provedSince(clock)))
    return rows.map((row) => toDomain(row, contested.has(row.domain), clock))
  }
  const one = async (row: DomainRow, organizationId: string, clock: Clock) => {
    const [domain] = await toDomains([row], organizationId, clock)
    return { data: domain as ReturnType<typeof toDomain> }
  }
  return [
    route(contract.listDomains, async ({ db, clock, actor: { organizationId } }) => ({
      data: await toDomains(await listDomains(db, organizationId), organizationId, clock),
    })),

    route(contract.claimDomain, async (context) =>
      one(await claimDomain(context, context.actor, context.body.domain), context.actor.organizationId, context.clock),
    ),

    route(contract.checkDomain, async (context) =>
      one(
        await checkDomain(context, context.actor, context.params.domainId),
        context.actor.organizationId,
        context.clock,
      ),
    ),

    route(contract.removeDomain, async (context) => {
      const autoJoinEnded = await removeDomain(context, context.actor, context.params.domainId)
      return { data: { removed: true, id: context.params.domainId, autoJoinEnded } }
    }),
  ]
}

const toDomain = (row: DomainRow, isContested: boolean, clock: Clock) => {
  const proved = row.proved_at !== null && row.proved_at > provedSince(clock)
  return {
    id: row.id,
    domain: row.domain,
    proved,
    // Shown only to an organization that has proved it: others learn nothing about claims.
    contested: proved && isContested,
    recordName: recordName(row.domain),
    recordValue: row.token,
    provedAt: row.proved_at,
    checkedAt: row.checked_at,
    checkResult: row.check_result,
    createdAt: row.created_at,
  }
}
