import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { RunChange } from '../../platform/database/change.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { newId } from '../../platform/ids.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { type ChangedBy, changeOrganization } from './organization-change.service.ts'
import * as query from './organizations.queries.ts'

/** Renames the organization; the slug stays, because links contain it. An unchanged name changes nothing. */
export const updateOrganization = (
  change: RunChange,
  actor: Actor,
  clock: Clock,
  wanted: { name: string | undefined },
) =>
  changeOrganization(change, actor, async (tx, before) => {
    if (wanted.name === undefined || wanted.name === before.name) return before
    const after = await query.updateOrganization(tx, actor.organizationId, { name: wanted.name }, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'organization.renamed',
      object: { type: 'organization', id: after.id },
      before: { name: before.name },
      after: { name: after.name },
    })
    return after
  })

export type Settings = Awaited<ReturnType<typeof query.getSettings>>

/**
 * For an operator whose identity provider is gone: members can sign in with passwords again. @returns true if it was on
 */
export const switchSsoOff = ({ change, clock }: Pick<Writer, 'change' | 'clock'>, by: ChangedBy): Promise<boolean> =>
  changeOrganization(change, by, async (tx, { id }) => {
    const before = await query.getSettings(tx, id)
    if (before.sso_enabled) await changeSettings(tx, by, clock, id, before, { sso_enabled: false })
    return before.sso_enabled
  })

/** Within a transaction that holds the organization's lock. @returns true if it was on */
export const switchAutoJoinOff = async (
  tx: Transaction,
  by: AuditedBy,
  clock: Clock,
  organizationId: string,
): Promise<boolean> => {
  const before = await query.getSettings(tx, organizationId)
  if (before.domain_auto_join) await changeSettings(tx, by, clock, organizationId, before, { domain_auto_join: false })
  return before.domain_auto_join
}

/** Within a transaction that holds the organization's lock. @returns the new settings */
export const changeSettings = async (
  tx: Transaction,
  by: AuditedBy,
  clock: Clock,
  organizationId: string,
  before: Settings,
  change: Partial<Settings>,
): Promise<Settings> => {
  const after = { ...before, ...change }
  await query.updateOrganization(tx, organizationId, change, isoTime(clock.now()))
  await recordAudit(tx, by, clock, {
    action: 'organization.settings-changed',
    object: { type: 'organization', id: organizationId },
    before: changedSettings(before, change),
    after: changedSettings(after, change),
  })
  return after
}

/** Only changed settings, under their API names. */
const changedSettings = (settings: Settings, change: Partial<Settings>) => ({
  ...(change.require_two_factor !== undefined && { requireTwoFactor: settings.require_two_factor }),
  ...(change.domain_auto_join !== undefined && { domainAutoJoin: settings.domain_auto_join }),
  ...(change.sso_enabled !== undefined && { ssoEnabled: settings.sso_enabled }),
  ...(change.members_create_engagements !== undefined && {
    membersCreateEngagements: settings.members_create_engagements,
  }),
})

/**
 * Locks the organization first, so that `decide` reads a stable state. An unchanged plan changes nothing.
 *
 * @param decide returns the new plan; undefined keeps the current one
 */
export const changePlan = async (
  tx: Transaction,
  by: AuditedBy,
  clock: Clock,
  organizationId: string,
  decide: () => Promise<string | undefined>,
): Promise<void> => {
  const before = await query.lockOrganization(tx, organizationId)
  const plan = await decide()
  if (!before || plan === undefined || plan === before.plan) return
  await query.updateOrganization(tx, organizationId, { plan }, isoTime(clock.now()))
  await recordAudit(tx, by, clock, {
    action: 'organization.plan-changed',
    object: { type: 'organization', id: organizationId },
    before: { plan: before.plan },
    after: { plan },
  })
}

/** Creates an organization without members; derives the slug from the name, with a number appended if it is taken. */
export const createOrganization = async (tx: Transaction, clock: Clock, wanted: { name: string; plan: string }) => {
  const now = isoTime(clock.now())
  const base = slugOf(wanted.name)
  for (let attempt = 1; ; attempt++) {
    const organization = await query.insertOrganization(tx, {
      id: newId('org', clock.now()),
      name: wanted.name,
      slug: attempt === 1 ? base : `${base}-${attempt}`,
      plan: wanted.plan,
      created_at: now,
      updated_at: now,
    })
    if (organization) return organization
  }
}

/** `Ärzte & Söhne GmbH` → `arzte-sohne-gmbh` */
const slugOf = (name: string): string => {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '')
  return slug || 'organization'
}

/** Within a change that holds the organization's lock. Its rows are still there. */
export const markRemoved = query.markRemoved

export const deleteRemovedOrganization = query.deleteRemovedOrganization
