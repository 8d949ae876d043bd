import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/open.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { findSecondFactor } from '../second-factor/second-factor.queries.ts'
import * as query from './organizations.queries.ts'

/** Renames; the slug stays, since links are made of it. A name that is already so changes nothing. */
export const updateOrganization = (db: Database, actor: Actor, clock: Clock, change: { name: string | undefined }) =>
  transaction(db, async (tx) => {
    const before = await query.lockOrganization(tx, actor.organizationId)
    if (!before) throw notFound()
    if (change.name === undefined || change.name === before.name) return before
    const after = await query.updateOrganizationName(tx, actor.organizationId, change.name, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'organization.renamed',
      object: { type: 'organization', id: after.id },
      before: { name: before.name },
      after: { name: after.name },
    })
    return after
  })

/**
 * Who demands a second factor of everybody must have one, or would be locked out by it.
 *
 * @throws ApiError CONFLICT when the actor has none
 */
export const updateOrganizationSettings = (db: Database, actor: Actor, clock: Clock, change: { requireTwoFactor?: boolean | undefined }) =>
  transaction(db, async (tx) => {
    await query.lockOrganization(tx, actor.organizationId)
    const before = await query.getSettings(tx, actor.organizationId)
    const { requireTwoFactor } = change
    if (requireTwoFactor === undefined || requireTwoFactor === before.require_two_factor) return before
    if (requireTwoFactor && !(await findSecondFactor(tx, actor.id))) throw conflict('Set up a second factor for your own account first.')
    await query.updateRequireTwoFactor(tx, actor.organizationId, requireTwoFactor, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'organization.settings-changed',
      object: { type: 'organization', id: actor.organizationId },
      before: { requireTwoFactor: before.require_two_factor },
      after: { requireTwoFactor },
    })
    return { ...before, require_two_factor: requireTwoFactor }
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
  await query.updateOrganizationPlan(tx, organizationId, plan, isoTime(clock.now()))
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
    .replace(/^-+|-+$/g, '')
  return slug || 'organization'
}
