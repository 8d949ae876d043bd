import type { Role, Scope } from '@sortie/contract/core/scopes.ts'
import { scopesOfRole } from '@sortie/contract/core/scopes.ts'
import type { DetailsChange } from '@sortie/contract/engagement/engagement-details.ts'
import { createApiKey } from '../../features/api-keys/api-keys.service.ts'
import { recordAudit } from '../../features/audit/audit.service.ts'
import { createAccount } from '../../features/auth/accounts/accounts.service.ts'
import { createPasswords } from '../../features/auth/passwords/passwords.ts'
import { createEngagement, updateEngagement } from '../../features/engagements/engagements.service.ts'
import { inviteMember } from '../../features/organizations/invitations/invitations.service.ts'
import { addMember } from '../../features/organizations/members/members.service.ts'
import { createOrganization } from '../../features/organizations/organizations.service.ts'
import { type Actor, viewerOf } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { seedLab, seedRecon } from './demo-recon.ts'
import { seedScans } from './demo-scans.ts'
import { seedScope } from './demo-scope.ts'
import { seedTasks } from './demo-work.ts'
import { seedFindings } from './findings/seed-findings.ts'
import { CONTOSO_PERIMETER, CONTOSO_PORTAL } from './reported/contoso.ts'
import { ADVENTURE_WORKS, FABRIKAM, LITWARE, TAILSPIN, WINGTIP } from './reported/others.ts'
import { seedPortalRequests } from './reported/portal-requests.ts'
import type { Reported } from './reported/reported.ts'
import { seedReport } from './reported/seed-report.ts'
import { seedClient, seedFields, seedReported } from './reported/seed-reported.ts'
import { seedRetest } from './reported/seed-retest.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type DemoPerson = [name: string, email: string, role: Role]
export const DEMO_PEOPLE: [DemoPerson, ...DemoPerson[]] = [
  ['Ada Byron', 'ada@northwind.example', 'owner'],
  ['Grace Murray', 'grace@northwind.example', 'admin'],
  ['Alan Mathison', 'alan@northwind.example', 'member'],
  ['Radia Joy', 'radia@northwind.example', 'member'],
  ['Edsger Wybe', 'edsger@northwind.example', 'member'],
]

const HOURS = { timeZone: 'Europe/Berlin', windows: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '20:00' }] }
const NIGHTS = { timeZone: 'Europe/Berlin', windows: [{ days: [1, 2, 3, 4], from: '21:00', to: '05:00' }] }

/** `2026-11-21` */
const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** The second engagement of a client; its findings are tested again. */
const PORTAL_2025 = 'Contoso booking portal 2025'

const ENGAGEMENTS: [
  name: string,
  status: 'active' | 'completed' | 'archived',
  daysAgo: number,
  details: DetailsChange,
  description: string,
][] = [
  [
    'Contoso external perimeter 2026',
    'active',
    84,
    {
      clientName: 'Contoso',
      kind: 'network',
      startsOn: dayFromNow(-84),
      endsOn: dayFromNow(14),
      testingHours: HOURS,
      fields: { sold_as: 'Subscription' },
    },
    '## Scope\n\nEverything below `contoso.example`, except `shop.contoso.example`.\n\n- [x] contract signed\n- [x] test accounts received\n- [x] kick-off call\n\n## Hours\n\nMonday to Friday, 08:00 to 20:00 Berlin time. Emergency contact: +49 30 5550 100.',
  ],
  [
    'Fabrikam red team, autumn',
    'active',
    40,
    {
      clientName: 'Fabrikam',
      kind: 'red-team',
      access: 'team',
      startsOn: dayFromNow(-40),
      endsOn: dayFromNow(7),
      testingHours: NIGHTS,
    },
    'Assumed breach from a standard laptop. **No phishing of the works council.** The blue team does not know.',
  ],
  [
    'Tailspin mobile banking retest',
    'active',
    21,
    {
      clientName: 'Tailspin Toys',
      kind: 'mobile',
      startsOn: dayFromNow(-21),
      endsOn: dayFromNow(4),
      testingHours: HOURS,
    },
    'Retest of the eleven findings of March. Report in English, one week.',
  ],
  [
    PORTAL_2025,
    'completed',
    320,
    {
      clientName: 'Contoso',
      kind: 'web',
      startsOn: dayFromNow(-320),
      endsOn: dayFromNow(-299),
      fields: { sold_as: 'Fixed price' },
    },
    'Grey box, three roles. Reported in January; retest in autumn.',
  ],
  [
    'Litware OT network assessment',
    'completed',
    74,
    { clientName: 'Litware', kind: 'network' },
    'Passive only: no scans in the plant network.',
  ],
  ['Wingtip web shop', 'completed', 102, { clientName: 'Wingtip', kind: 'web' }, 'Grey box, two roles.'],
  [
    'Adventure Works perimeter 2025',
    'archived',
    340,
    { clientName: 'Adventure Works', kind: 'network' },
    'Black box, five days.',
  ],
]

/** Findings by the engagement's name. */
const REPORTED: Readonly<Record<string, readonly Reported[]>> = {
  'Contoso external perimeter 2026': CONTOSO_PERIMETER,
  [PORTAL_2025]: CONTOSO_PORTAL,
  'Fabrikam red team, autumn': FABRIKAM,
  'Tailspin mobile banking retest': TAILSPIN,
  'Litware OT network assessment': LITWARE,
  'Wingtip web shop': WINGTIP,
  'Adventure Works perimeter 2025': ADVENTURE_WORKS,
}

const KEYS: [name: string, environment: 'live' | 'test', scopes: Scope[], daysAgo: number][] = [
  ['nightly recon', 'live', ['targets:read', 'targets:write'], 118],
  ['report generator', 'live', ['targets:read', 'tasks:read', 'wiki:read'], 41],
  ['staging CI', 'test', ['tasks:read', 'tasks:write'], 3],
]

/**
 * Seeds one organization, once, with a team's data of some months. Every change is dated and audited as if it had been
 * made then.
 */
export const seedDemo = async (platform: Writer, password: string): Promise<void> => {
  const existing = await platform.db
    .selectFrom('organizations')
    .select('id')
    .where('slug', '=', 'northwind-security')
    .executeTakeFirst()
  if (existing) return
  const now = platform.clock.now()
  const daysAgo = (days: number): Writer => ({
    ...platform,
    clock: { ...platform.clock, now: () => Math.round(now - days * DAY_MS) },
  })
  const passwordHash = await createPasswords(platform.config).hash(password, [])
  const { clock } = daysAgo(400)
  const actors = await transaction(platform.db, async (tx) => {
    const organization = await createOrganization(tx, clock, { name: 'Northwind Security', plan: 'team' })
    const made: Actor[] = []
    for (const [name, email, role] of DEMO_PEOPLE) {
      const user = await createAccount(tx, clock, { name, email, passwordHash, isInstanceAdmin: role === 'owner' })
      if (!user) throw new Error(`${email} has an account already`)
      await addMember(tx, clock, organization.id, user, role)
      made.push({
        kind: 'user',
        id: user.id,
        name,
        organizationId: organization.id,
        viewer: viewerOf(role, user.id),
        scopes: new Set(scopesOfRole(role)),
        role,
        address: '203.0.113.7',
      })
    }
    await recordAudit(tx, { system: 'demonstration', organizationId: organization.id }, clock, {
      action: 'organization.created',
      object: { type: 'organization', id: organization.id },
      after: { name: organization.name, slug: organization.slug },
    })
    return made
  })
  const [owner, admin] = actors as [Actor, Actor, ...Actor[]]
  await seedFields(daysAgo(399), owner)
  for (const [index, [name, status, days, details, description]] of ENGAGEMENTS.entries()) {
    const then = daysAgo(days)
    const [lead, mate] = [actors[index % actors.length], actors[(index + 1) % actors.length]] as [Actor, Actor]
    const people = { lead: lead.id, team: [mate.id] }
    const { id } = await createEngagement(then, admin, { name, description, details: { ...details, ...people } })
    const inventoryOf = name === PORTAL_2025 ? undefined : details.clientName
    await seedScope(then, lead, id, inventoryOf)
    await seedRecon(platform, mate, id, inventoryOf, daysAgo)
    await seedScans(daysAgo, mate, id, inventoryOf)
    await seedFindings(daysAgo, [lead, mate], id, inventoryOf)
    await seedTasks(daysAgo, days, [lead, mate], id, inventoryOf)
    if (name === PORTAL_2025) await seedPortalRequests(daysAgo(306.5), mate, id)
    await seedReported(daysAgo, [lead, mate], id, REPORTED[name] ?? [])
    if (name === PORTAL_2025) await seedReport(daysAgo, [lead, mate], id)
    if (name === PORTAL_2025) await seedRetest(daysAgo, dayFromNow, [lead, mate], id)
    const steps =
      status === 'active'
        ? []
        : status === 'completed'
          ? (['completed'] as const)
          : (['completed', 'archived'] as const)
    for (const [taken, step] of steps.entries()) {
      const later = daysAgo(days / (taken + 2))
      await updateEngagement(later.change, admin, later.clock, id, {
        name: undefined,
        description: undefined,
        status: step,
        ifUpdatedAt: undefined,
      })
    }
  }
  await seedClient(daysAgo(80), admin)
  await seedLab(daysAgo(0), admin)
  for (const [name, environment, scopes, days] of KEYS)
    await createApiKey(daysAgo(days), owner, { name, environment, scopes })
  await inviteMember(daysAgo(1), admin, { email: 'barbara@northwind.example', role: 'member' })
}
