import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notifications } from '../features/account-emails/account-emails.feature.ts'
import { agents } from '../features/agents/agents.feature.ts'
import { apiKeys } from '../features/api-keys/api-keys.feature.ts'
import { keyAuthenticator, keyLock } from '../features/api-keys/authenticate.ts'
import { audit } from '../features/audit/audit.feature.ts'
import { accountSettings } from '../features/auth/account-settings/account-settings.feature.ts'
import { browserConfirmations } from '../features/auth/browser-confirmations/browser-confirmations.feature.ts'
import { devices } from '../features/auth/devices/devices.feature.ts'
import { identities } from '../features/auth/linked-accounts/linked-accounts.feature.ts'
import { openProvider, signOutAtProvider } from '../features/auth/linked-accounts/providers/open-provider.ts'
import { passwordLinks } from '../features/auth/password-links/password-links.feature.ts'
import { passwordResets } from '../features/auth/password-resets/password-resets.feature.ts'
import { createPasswords } from '../features/auth/passwords/passwords.ts'
import { tickets } from '../features/auth/pending-sign-ins/pending-sign-ins.feature.ts'
import { secondFactor } from '../features/auth/second-factor/second-factor.feature.ts'
import { collectLastSeen, sessionAuthenticator, sessionLock } from '../features/auth/sessions/authenticate.ts'
import { sessions } from '../features/auth/sessions/sessions.feature.ts'
import { signIns } from '../features/auth/sign-in/sign-in.feature.ts'
import { attempts } from '../features/auth/throttle/throttle.feature.ts'
import { consume } from '../features/auth/throttle/throttle.service.ts'
import { billing } from '../features/billing/billing.feature.ts'
import { clients } from '../features/clients/clients.feature.ts'
import { codeHosting } from '../features/code-hosting/code-hosting.feature.ts'
import { comments } from '../features/comments/comments.feature.ts'
import { readSendingState } from '../features/connection-rules/sending-state.service.ts'
import { customFields } from '../features/custom-fields/custom-fields.feature.ts'
import { deviceLogins } from '../features/device-logins/device-logins.feature.ts'
import { engagements } from '../features/engagements/engagements.feature.ts'
import type { ProductFeature } from '../features/engagements/parts.ts'
import { events } from '../features/events/events.feature.ts'
import { files } from '../features/files/files.feature.ts'
import { deleteFilesOf } from '../features/files/files.service.ts'
import { findings } from '../features/findings/findings.feature.ts'
import { home } from '../features/home/home.feature.ts'
import { imports } from '../features/imports/imports.feature.ts'
import { describeHealth } from '../features/instance/health.service.ts'
import { instance } from '../features/instance/instance.feature.ts'
import { library } from '../features/library/library.feature.ts'
import { mails } from '../features/mails/mails.feature.ts'
import { deliverMail } from '../features/mails/mails.service.ts'
import { mcp } from '../features/mcp/mcp.feature.ts'
import { methodologies } from '../features/methodologies/methodologies.feature.ts'
import { notices } from '../features/notifications/notifications.feature.ts'
import { oauth } from '../features/oauth/oauth.feature.ts'
import { operations } from '../features/operation-log/operation-log.feature.ts'
import { applyKnownMemberships } from '../features/organizations/directory/apply-change.service.ts'
import { directory } from '../features/organizations/directory/directory.feature.ts'
import { domains } from '../features/organizations/domains/domains.feature.ts'
import { invitations } from '../features/organizations/invitations/invitations.feature.ts'
import { joinByDomain } from '../features/organizations/joining/join-by-domain.service.ts'
import { joining } from '../features/organizations/joining/joining.feature.ts'
import { memberSecurity } from '../features/organizations/member-security/member-security.feature.ts'
import { lockMemberActor } from '../features/organizations/members/acting-member.service.ts'
import { applyClaimedRoles } from '../features/organizations/members/claimed-roles.service.ts'
import { members } from '../features/organizations/members/members.feature.ts'
import { organizations } from '../features/organizations/organizations.feature.ts'
import { ownership } from '../features/organizations/ownership/ownership.feature.ts'
import { settings } from '../features/organizations/settings/settings.feature.ts'
import { presence } from '../features/presence/presence.feature.ts'
import { createViewers } from '../features/presence/presence.service.ts'
import { findEditionData } from '../features/report-renders/editions/editions.queries.ts'
import { reportRenders } from '../features/report-renders/report-renders.feature.ts'
import { reportTemplates } from '../features/report-templates/report-templates.feature.ts'
import { reports } from '../features/reports/reports.feature.ts'
import { apiRequests } from '../features/requests/api-requests.feature.ts'
import { runTools } from '../features/requests/runs/execute/perform.service.ts'
import { results } from '../features/results/results.feature.ts'
import { reevaluateResults } from '../features/results/triage/own-verdicts.service.ts'
import { retests } from '../features/retests/retests.feature.ts'
import { scans } from '../features/scans/scans.feature.ts'
import { scope } from '../features/scope/scope.feature.ts'
import { search } from '../features/search/search.feature.ts'
import { targetPage } from '../features/target-page/target-page.feature.ts'
import { targets } from '../features/targets/targets.feature.ts'
import { reevaluateTargets } from '../features/targets/verdicts/reevaluate-targets.service.ts'
import { tasks } from '../features/tasks/tasks.feature.ts'
import { views } from '../features/views/views.feature.ts'
import { webhookEndpoints } from '../features/webhook-endpoints/webhook-endpoints.feature.ts'
import { wiki } from '../features/wiki/wiki.feature.ts'
import type { Config } from '../platform/config.ts'
import type { Platform } from '../platform/context.ts'
import { withEveryRow, withoutHeldRows } from '../platform/database/every-row.ts'
import { ConfigurationError, notFound } from '../platform/errors.ts'
import { EventHub } from '../platform/events/hub.ts'
import { type ActorLocks, type Feature, housekeepingJob, type Job, job } from '../platform/feature.ts'
import { beatJob, countBeat } from '../platform/files/beat.ts'
import { mountCli } from '../platform/http/answers/cli-file.ts'
import { cookieName } from '../platform/http/answers/cookies.ts'
import { mountAssets, openWebPages } from '../platform/http/answers/web-pages.ts'
import { costGate } from '../platform/http/limits/costs.ts'
import { requestLimits } from '../platform/http/limits/rate-limit.ts'
import { mountReference } from '../platform/http/reference/reference-route.ts'
import { authGates, bearerOf } from '../platform/http/routes/doors.ts'
import { deleteOldAnswers } from '../platform/http/routes/idempotency.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../platform/jobs/jobs.ts'
import { toQueueJob } from '../platform/jobs/run.ts'
import { sweepBackgroundJobs, sweepBackgroundJobsJob } from '../platform/jobs/sweep.ts'
import type { MailTemplate } from '../platform/mail/template.ts'
import type { SearchPart } from '../platform/search/part.ts'
import { createSectionTexts } from '../platform/text-merge/section-texts.ts'
import type { TitleSources } from '../platform/text/titles.ts'
import { publishedDocument } from '../published/published-document.ts'
import { eventRights } from './event-rights.ts'
import { flushRegularly } from './last-use.ts'
import { mountEndpoints } from './mount-endpoints.ts'
import { mountOAuth } from './oauth-endpoints.ts'
import { type App, type AppOptions, mountProbes, openHttp } from './probes.ts'
import { templateTools } from './template-tools.ts'

/** Objects made once at start, and passed to the features whose routes need them. */
type Parts = Awaited<ReturnType<typeof makeParts>>

/** Features whose objects belong to engagements. */
const PRODUCT: readonly ProductFeature<Parts>[] = [
  scope(async (...changed) => {
    await reevaluateTargets(...changed)
    await reevaluateResults(...changed)
  }, readSendingState),
  targets(reevaluateResults),
  files,
  results,
  operations,
  imports,
  scans,
  views,
  notices,
  tasks,
  comments,
  presence,
  library,
  methodologies,
  wiki,
  apiRequests,
  targetPage,
  retests,
  findings,
  reports({ findEditionData }),
  reportRenders,
]

/**
 * All features of the server: its routes, jobs, mails and webhooks are those of this list. Bottom up: a feature imports
 * only from those before it.
 */
const FEATURES: readonly Feature<Parts>[] = [
  audit,
  mails,
  notifications,
  attempts,
  tickets,
  devices,
  passwordLinks,
  sessions,
  secondFactor,
  signIns,
  accountSettings,
  identities,
  passwordResets,
  browserConfirmations,
  organizations,
  invitations,
  members,
  memberSecurity,
  ownership,
  domains,
  joining,
  settings,
  directory,
  apiKeys,
  deviceLogins,
  agents,
  billing,
  codeHosting,
  instance,
  events,
  customFields,
  clients((tx, organizationId, clientId) => deleteFilesOf(tx, organizationId, 'client', [clientId])),
  engagements(PRODUCT.flatMap(({ engagementPart }) => engagementPart ?? [])),
  reportTemplates(templateTools),
  ...PRODUCT,
  search,
  home,
  webhookEndpoints(() => titleSources()),
  mcp,
  oauth,
]

/** Every kind of mail that the server sends. */
export const MAIL_TEMPLATES: readonly MailTemplate[] = FEATURES.flatMap((feature) => feature.mails ?? [])

const cleanUpJob: JobType<object> = {
  name: 'clean-up',
  options: { retryLimit: 2, expireInSeconds: JOB_EXPIRY_SECONDS },
}

const cleanUp = async (platform: Platform): Promise<void> => {
  for (const feature of FEATURES) await feature.cleanUp?.(withoutHeldRows(platform))
  await deleteOldAnswers(platform.db, platform.clock)
}

export const resealJob: JobType<object> = { ...cleanUpJob, name: 'reseal' }

/** While `SESSION_SECRET` has two values. */
const reseal = async (platform: Platform): Promise<void> => {
  if (platform.keys.encryption.length === 1) return
  for (const feature of FEATURES) await feature.reseal?.(withEveryRow(platform))
  platform.log.info('everything that the former SESSION_SECRET encrypted is encrypted with the new one')
}

const BACKGROUND_JOBS = FEATURES.flatMap((feature) => feature.longRunningJobs ?? [])

/** Every job. */
export const JOBS: readonly Job[] = [
  ...FEATURES.flatMap((feature) => feature.jobs ?? []),
  ...BACKGROUND_JOBS.map(toQueueJob),
  housekeepingJob(sweepBackgroundJobsJob, (platform) => sweepBackgroundJobs(platform, BACKGROUND_JOBS), '* * * * *'),
  housekeepingJob(cleanUpJob, cleanUp, '17 * * * *'),
  housekeepingJob(resealJob, reseal, '*/5 * * * *'),
  job(beatJob, countBeat, '* * * * *'),
]

export const LOOPS = FEATURES.flatMap((feature) => feature.loops ?? [])

/** Every kind of job: their queues exist before the first is enqueued. */
export const JOB_TYPES: readonly JobType<object>[] = JOBS.map(({ type }) => type)

/** Output of the web interface's build; without it the server offers only the API. */
const WEB_DIRECTORY = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** The command line of testers, as it is built. */
const CLI_FILE = fileURLToPath(new URL('../../../cli/dist/sortie.mjs', import.meta.url))

/** Creates the HTTP server: every feature's routes and webhooks, at the doors that they name. */
export const createApp = async (options: AppOptions): Promise<App> => {
  const { platform, prepared, limiter } = options
  const { config, clock, db, keys, log } = platform
  const keyAuthentication = keyAuthenticator(db, prepared, clock, config)
  const lastSeen = collectLastSeen(db)
  const limits = requestLimits(limiter, config)
  const authenticators = {
    key: keyAuthentication.authenticate,
    session: sessionAuthenticator(prepared, keys, clock, lastSeen),
    lockKey: keyAuthentication.lock,
    lockSession: sessionLock(clock),
  }
  const gates = authGates(authenticators, limits, config)
  const parts = await makeParts(options)
  const routes = FEATURES.flatMap((feature) => feature.routes?.(parts) ?? [])

  const pages = openWebPages(options.webDirectory ?? WEB_DIRECTORY)
  const isForPage = (request: FastifyRequest) => pages?.isFor(request) ?? false
  const limitUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isForPage(request)) return limits.uncounted(reply, request.ip)
    const value = request.raw.url?.startsWith('/api/v1/') ? bearerOf(request) : undefined
    const actor = value === undefined ? undefined : await authenticators.key(value, request.ip)
    if (actor) await limits.key(reply, actor.id, actor.organizationId)
    else await limits.anonymous(reply, request.ip)
  }
  // Streams stay open until one side ends them: ends them at once, before the time that load balancers get.
  const beforeClose = async () => {
    await parts.hub.close()
    await options.shutdown?.beforeClose()
  }
  const http = await openHttp(options, limits, { limitUnknown, isForPage }, beforeClose)
  mountProbes(http, options, limits, async (request, reply) => {
    const token = request.cookies[cookieName('sid', config)]
    const session = token ? await authenticators.session(token, undefined, request.ip) : undefined
    if (!session?.person.isInstanceAdmin) return undefined
    await limits.session(reply, session.person.userId)
    return describeHealth(parts)
  })
  options.metrics.gauge('sortie_event_streams', 'Event streams of this process that are open.', async () =>
    parts.hub.countStreams(),
  )
  mountReference(http, () => publishedDocument(config), limits)
  mountOAuth(http, platform, limits)
  mountCli(http, { file: CLI_FILE, address: config.FRONTEND_URL }, limits)
  const admit = options.admit ?? costGate((bucket, max, windowMs) => consume(db, clock, bucket, max, windowMs), clock)
  await mountEndpoints(http, platform, { gates, costs: admit, limits }, FEATURES, routes)
  if (pages) mountAssets(http, pages, limits)
  http.setNotFoundHandler(async (request, reply) => {
    if (pages?.isFor(request)) return pages.answer(reply)
    throw notFound('There is no such endpoint.')
  })
  await http.ready()

  const lastUse = flushRegularly([keyAuthentication.flush, lastSeen.flush], log)
  return {
    http,
    routes,
    flush: lastUse.flush,
    close: async () => {
      await lastUse.stopAfter(() => http.close())
      await limiter.close()
    },
  }
}

export const actorLocks = ({ clock }: Pick<Platform, 'clock'>): ActorLocks => ({
  lockKey: keyLock(clock),
  lockMember: lockMemberActor,
})

/** By type. */
const titleSources = (): TitleSources =>
  new Map(FEATURES.flatMap(({ titles }) => (titles ? [[titles.type, titles] as const] : [])))

const searchParts = (): readonly SearchPart[] => FEATURES.flatMap((feature) => feature.search ?? [])

const makeParts = async ({ platform, limiter, refusals, prepared, connection }: AppOptions) => {
  const { config, clock, log } = platform
  const provider = await openProvider(config, log)
  const actors = actorLocks(platform)
  return {
    platform,
    limiter,
    refusals,
    connection,
    jobTypes: JOB_TYPES,
    passwords: createPasswords(config),
    provider,
    hub: new EventHub({ settings: connection, clock, log, findRights: eventRights(prepared, clock) }),
    actors,
    runTools: runTools(platform, actors),
    titleSources: titleSources(),
    searchParts: searchParts(),
    viewers: createViewers(platform),
    texts: createSectionTexts(),
    joinByDomain,
    signOutAtProvider: signOutAtProvider(provider),
    onProviderProfile:
      config.AUTH_PROVIDER === 'workos' ? applyKnownMemberships(platform) : applyClaimedRoles(platform),
  }
}

/** The name of a kind of job for operators: for a long-running job, the feature's own name. */
export const kindOf = ({ name }: JobType<object>): string => name.replace(/^work-/, '')

/** @throws ConfigurationError if `SORTIE_JOBS` names an unknown kind of job */
export const requireKnownJobs = ({ SORTIE_JOBS: chosen = [] }: Pick<Config, 'SORTIE_JOBS'>): void => {
  const known = [...JOB_TYPES.map(kindOf), ...LOOPS.map(({ name }) => name)]
  const unknown = chosen.find((kind) => !known.includes(kind))
  if (unknown !== undefined)
    throw new ConfigurationError([
      `SORTIE_JOBS: there is no kind of job ${unknown}; there are ${known.toSorted().join(', ')}`,
    ])
}

/**
 * Reports whether a process of these settings stores or removes files: all do, except workers for scans or requests
 * only.
 */
export const writesFiles = ({
  SORTIE_ROLE: role,
  SORTIE_JOBS: chosen,
}: Pick<Config, 'SORTIE_ROLE' | 'SORTIE_JOBS'>): boolean =>
  role !== 'worker' ||
  chosen === undefined ||
  JOBS.some(({ type, writesNoFiles }) => !writesNoFiles && chosen.includes(kindOf(type)))

/** Reports whether a process of these settings sends mail, or writes it to files. */
export const sendsMail = ({
  SORTIE_ROLE: role,
  SORTIE_JOBS: chosen,
}: Pick<Config, 'SORTIE_ROLE' | 'SORTIE_JOBS'>): boolean =>
  role !== 'api' && (chosen === undefined || chosen.includes(kindOf(deliverMail)))
