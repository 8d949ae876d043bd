import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Change } from '../../platform/database/change.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Writer } from '../../platform/http/context.ts'
import { newId } from '../../platform/ids.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { type ChangedBy, changeOrganization } from './organization-change.service.ts'
import * as query from './organizations.queries.ts'

/** Renames; the slug stays, since links are made of it. A name that is already so changes nothing. */
export const updateOrganization = (change: Change, actor: Actor, clock: Clock, wanted: { name: string | undefined }) =>
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

/** For an operator whose identity provider is gone: passwords open the organization again. @returns whether it was on */
export const switchSsoOff = ({ change, clock }: Pick<Writer, 'change' | 'clock'>, by: ChangedBy): Promise<boolean> =>
  changeOrganization(change, by, async (tx, { id }) => {
    const before = await query.getSettings(tx, id)
    if (before.sso_enabled) await changeSettings(tx, by, clock, id, before, { sso_enabled: false })
    return before.sso_enabled
  })

/** Within a transaction that holds the organization's lock. @returns whether it was on */
export const switchAutoJoinOff = async (tx: Transaction, by: AuditedBy, clock: Clock, organizationId: string): Promise<boolean> => {
  const before = await query.getSettings(tx, organizationId)
  if (before.domain_auto_join) await changeSettings(tx, by, clock, organizationId, before, { domain_auto_join: false })
  return before.domain_auto_join
}

/** Within a transaction that holds the organization's lock. @returns the settings as they are then */
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

/** Under the names of the API, and only those that changed. */
const changedSettings = (settings: Settings, change: Partial<Settings>) => ({
  ...(change.require_two_factor !== undefined && { requireTwoFactor: settings.require_two_factor }),
  ...(change.domain_auto_join !== undefined && { domainAutoJoin: settings.domain_auto_join }),
  ...(change.sso_enabled !== undefined && { ssoEnabled: settings.sso_enabled }),
})

/**
 * Takes the lock of the organization first, so that what `decide` reads is settled. A plan that is already so changes
 * nothing.
 *
 * @param decide the plan that the organization should have; undefined: the one it has
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

/** Makes an organization without members; its slug follows from the name, with a number behind it when that is taken. */
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
