import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { randomToken } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { lookUpTxt, type TxtAnswer } from '../../../platform/dns.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { parseDomain } from '../../../platform/text/text.ts'
import { notifyOwner } from '../../account-emails/account-emails.service.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import { type ChangedBy, changeOrganization } from '../organization-change.service.ts'
import { switchAutoJoinOff } from '../organizations.service.ts'
import * as query from './domains.queries.ts'
import { provedSince } from './proof-age.ts'
import { isPublicMailDomain } from './public-mail.ts'

const MAX_DOMAINS = 20

/**
 * A separate label: it does not touch other records of the domain, and only the domain's administrator can create it.
 */
export const recordName = (domain: string): string => `_sortie-challenge.${domain}`

/**
 * Stored in its ASCII form, so that a lookalike with letters of another script is a different domain.
 *
 * @throws ApiError VALIDATION_ERROR, CONFLICT
 */
export const claimDomain = ({ change, clock }: Writer, actor: Actor, written: string) => {
  const domain = parseDomain(written.trim().replace(/\.$/, ''))
  if (!domain) throw invalid('domain: must be a domain name, such as contoso.com')
  if (isPublicMailDomain(domain))
    throw invalid(`domain: anyone can get an address at ${domain}, so it cannot be claimed`)
  return changeOrganization(change, actor, async (tx) => {
    if ((await query.countDomains(tx, actor.organizationId)) >= MAX_DOMAINS)
      throw conflict(`An organization can claim ${MAX_DOMAINS} domains.`)
    const now = clock.now()
    const id = newId('dom', now)
    const claim = { id, organization_id: actor.organizationId, domain, token: randomToken(), created_at: isoTime(now) }
    if (!(await query.insertDomain(tx, claim))) throw conflict(`This organization already claims ${domain}.`)
    await recordAudit(tx, actor, clock, { action: 'domain.claimed', object: { type: 'domain', id }, after: { domain } })
    return getDomain(tx, actor.organizationId, id)
  })
}

const getDomain = async (db: Database, organizationId: string, domainId: string) => {
  const row = await query.findDomain(db, organizationId, domainId)
  if (!row) throw notFound()
  return row
}

/**
 * Each check queries name servers of third parties: the endpoint declares its rate limit. @throws ApiError NOT_FOUND
 */
export const checkDomain = async (platform: Writer, actor: Actor, domainId: string) => {
  const { db } = platform
  await recheckDomain(platform, actor, await getDomain(db, actor.organizationId, domainId))
  return getDomain(db, actor.organizationId, domainId)
}

/** Looks up the record of a domain, and stores the result. */
export const recheckDomain = async (
  platform: Writer,
  by: ChangedBy,
  { id, domain }: { id: string; domain: string },
): Promise<void> => {
  const { change, config } = platform
  const answer = await lookUpTxt(config, recordName(domain))
  await changeOrganization(change, by, (tx) => recordDnsResult(tx, platform, by, by.organizationId, id, answer))
}

/**
 * A record that the name servers report missing ends the proof at once; while they do not respond, it lasts for 90 days
 * after it was last found.
 */
const recordDnsResult = async (
  tx: Transaction,
  platform: Platform,
  by: AuditedBy,
  organizationId: string,
  domainId: string,
  answer: TxtAnswer,
): Promise<void> => {
  const { clock } = platform
  const row = await query.findDomain(tx, organizationId, domainId)
  if (!row) return
  const now = isoTime(clock.now())
  const isThere = answer.result === 'found' && answer.texts.some((text) => text.trim() === row.token)
  const result = isThere ? 'found' : answer.result === 'unanswered' ? 'unanswered' : 'missing'
  const stillCounts = result === 'unanswered' && row.proved_at !== null && row.proved_at > provedSince(clock)
  const proved_at = isThere ? now : stillCounts ? row.proved_at : null
  await query.updateCheck(tx, organizationId, domainId, { proved_at, checked_at: now, check_result: result })
  const object = { type: 'domain', id: domainId }
  if (isThere && row.proved_at === null)
    await recordAudit(tx, by, clock, { action: 'domain.proved', object, after: { domain: row.domain } })
  if (proved_at !== null || row.proved_at === null) return
  await recordAudit(tx, by, clock, { action: 'domain.proof-lost', object, before: { domain: row.domain } })
  const isOff = await switchOffWithoutDomain(tx, clock, by, organizationId)
  await notifyOwner(tx, platform.jobs, clock, organizationId, {
    kind: 'domain-lost',
    domain: row.domain,
    autoJoin: isOff ? 'switched off' : 'unchanged',
  })
}

/** @returns true if this switched joining by domain off */
const switchOffWithoutDomain = async (
  tx: Transaction,
  clock: Clock,
  by: AuditedBy,
  organizationId: string,
): Promise<boolean> =>
  (await query.countProvedDomains(tx, organizationId, provedSince(clock))) > 0
    ? false
    : switchAutoJoinOff(tx, by, clock, organizationId)

/** @returns true if this switched joining by domain off @throws ApiError NOT_FOUND */
export const removeDomain = ({ change, clock }: Writer, actor: Actor, domainId: string): Promise<boolean> =>
  changeOrganization(change, actor, async (tx) => {
    const { domain } = await getDomain(tx, actor.organizationId, domainId)
    await query.deleteDomain(tx, actor.organizationId, domainId)
    await recordAudit(tx, actor, clock, {
      action: 'domain.removed',
      object: { type: 'domain', id: domainId },
      before: { domain },
    })
    return switchOffWithoutDomain(tx, clock, actor, actor.organizationId)
  })
