import type { Actor, Person } from '../../platform/auth/actor.ts'
import { isDelegated } from '../../platform/auth/sign-in-method.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Change } from '../../platform/database/change.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import type { Writer } from '../../platform/http/context.ts'
import { newId } from '../../platform/ids.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { findSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { countProvedDomains } from './domains/domains.queries.ts'
import { provedSince } from './domains/proof-age.ts'
import { type ChangedBy, changeOrganization } from './organization-change.service.ts'
import * as query from './organizations.queries.ts'

/** Renames; the slug stays, since links are made of it. A name that is already so changes nothing. */
export const updateOrganization = (change: Change, actor: Actor, clock: Clock, wanted: { name: string | undefined }) =>
  changeOrganization(change, actor, async (tx, before) => {
    if (wanted.name === undefined || wanted.name === before.name) return before
    const after = await query.updateOrganizationName(tx, actor.organizationId, wanted.name, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'organization.renamed',
      object: { type: 'organization', id: after.id },
      before: { name: before.name },
      after: { name: after.name },
    })
    return after
  })

/** As the web interface sets them; what is left out stays. */
export interface SettingsChange {
  requireTwoFactor?: boolean | undefined
  domainAutoJoin?: boolean | undefined
  ssoEnabled?: boolean | undefined
}

/**
 * Who demands a second factor of everybody must have one, or would be locked out by it; who lets people of a domain join
 * must have proved one; who closes the organization to passwords must have come in without one.
 *
 * @throws ApiError CONFLICT when what a setting rests on is not there
 */
export const updateOrganizationSettings = (
  writer: Pick<Writer, 'change' | 'clock'>,
  { actor, person }: { actor: Actor; person: Person },
  wanted: SettingsChange,
) => {
  const { clock } = writer
  const work = async (tx: Transaction) => {
    const before = await query.getSettings(tx, actor.organizationId)
    const change = {
      ...(wanted.requireTwoFactor === !before.require_two_factor && { require_two_factor: wanted.requireTwoFactor }),
      ...(wanted.domainAutoJoin === !before.domain_auto_join && { domain_auto_join: wanted.domainAutoJoin }),
      ...(wanted.ssoEnabled === !before.sso_enabled && { sso_enabled: wanted.ssoEnabled }),
    }
    if (Object.keys(change).length === 0) return before
    if (change.require_two_factor && !(await findSecondFactor(tx, actor.id))) throw conflict('Set up a second factor for your own account first.')
    if (change.domain_auto_join && (await countProvedDomains(tx, actor.organizationId, provedSince(clock))) === 0) throw conflict('Prove a domain first.')
    if (change.sso_enabled && !isDelegated(person.method))
      throw conflict('Sign in through the identity provider yourself first: passwords will not open this organization any more.')
    const after = { ...before, ...change }
    await query.updateSettings(tx, actor.organizationId, change, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'organization.settings-changed',
      object: { type: 'organization', id: actor.organizationId },
      before: changedSettings(before, change),
      after: changedSettings(after, change),
    })
    return after
  }
  return changeOrganization(writer.change, actor, work, { ofRules: true })
}

type Settings = Awaited<ReturnType<typeof query.getSettings>>

/** Under the names of the API, and only those that changed. */
const changedSettings = (settings: Settings, change: Partial<Settings>) => ({
  ...(change.require_two_factor !== undefined && { requireTwoFactor: settings.require_two_factor }),
  ...(change.domain_auto_join !== undefined && { domainAutoJoin: settings.domain_auto_join }),
  ...(change.sso_enabled !== undefined && { ssoEnabled: settings.sso_enabled }),
})

/** For an operator whose identity provider is gone: passwords open the organization again. @returns whether it was on */
export const switchSsoOff = ({ change, clock }: Pick<Writer, 'change' | 'clock'>, by: ChangedBy): Promise<boolean> =>
  changeOrganization(change, by, async (tx, { id: organizationId }) => {
    const before = await query.getSettings(tx, organizationId)
    if (!before.sso_enabled) return false
    await query.updateSettings(tx, organizationId, { sso_enabled: false }, isoTime(clock.now()))
    await recordAudit(tx, by, clock, {
      action: 'organization.settings-changed',
      object: { type: 'organization', id: organizationId },
      before: { ssoEnabled: true },
      after: { ssoEnabled: false },
    })
    return true
  })

/** Within a transaction that holds the organization's lock. @returns whether it was on */
export const switchAutoJoinOff = async (tx: Transaction, by: AuditedBy, clock: Clock, organizationId: string): Promise<boolean> => {
  const before = await query.getSettings(tx, organizationId)
  if (!before.domain_auto_join) return false
  await query.updateSettings(tx, organizationId, { domain_auto_join: false }, isoTime(clock.now()))
  await recordAudit(tx, by, clock, {
    action: 'organization.settings-changed',
    object: { type: 'organization', id: organizationId },
    before: { domainAutoJoin: true },
    after: { domainAutoJoin: false },
  })
  return true
}

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
    .replace(/^-|-$/g, '')
  return slug || 'organization'
}
