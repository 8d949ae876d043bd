import * as contract from '@sortie/contract/domains.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Route, route } from '../../platform/http/context.ts'
import { type DomainRow, listDomains } from './domains.queries.ts'
import { checkDomain, claimDomain, recordName, removeDomain } from './domains.service.ts'
import { provedSince } from './proof-age.ts'

export const domainRoutes: Route[] = [
  route(contract.listDomains, async ({ db, clock, actor }) => {
    const rows = await listDomains(db, actor.organizationId, provedSince(clock))
    return { data: rows.map((row) => toDomain(row, clock)) }
  }),

  route(contract.claimDomain, async (context) => ({ data: toDomain(await claimDomain(context, context.actor, context.body.domain), context.clock) })),

  route(contract.checkDomain, async (context) => ({ data: toDomain(await checkDomain(context, context.actor, context.params.domainId), context.clock) })),

  route(contract.removeDomain, async (context) => {
    const autoJoinEnded = await removeDomain(context, context.actor, context.params.domainId)
    return { data: { removed: true, id: context.params.domainId, autoJoinEnded } }
  }),
]

const toDomain = (row: DomainRow, clock: Clock) => {
  const proved = row.proved_at !== null && row.proved_at > provedSince(clock)
  return {
    id: row.id,
    domain: row.domain,
    proved,
    // Told to who has proved it: others learn nothing about who claims what.
    contested: proved && row.contested,
    recordName: recordName(row.domain),
    recordValue: row.token,
    provedAt: row.proved_at,
    checkedAt: row.checked_at,
    checkResult: row.check_result,
    createdAt: row.created_at,
  }
}
