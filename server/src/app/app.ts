import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyRoutes } from '../features/api-keys/api-keys.routes.ts'
import { keyAuthenticator } from '../features/api-keys/authenticate.ts'
import { auditRoutes } from '../features/audit/audit.routes.ts'
import { applyEvent } from '../features/billing/apply-event.service.ts'
import { billingRoutes, mountBillingWebhook } from '../features/billing/billing.routes.ts'
import { applyBillingEvent, deleteOldEvents } from '../features/billing/billing.service.ts'
import { codeHostingRoutes, mountCodeHostingWebhook } from '../features/code-hosting/code-hosting.routes.ts'
import { deleteOldPayloads } from '../features/code-hosting/code-hosting.service.ts'
import { engagementRoutes } from '../features/engagements/engagements.routes.ts'
import { accountRoutes } from '../features/identity/accounts/accounts.routes.ts'
import { createPasswords } from '../features/identity/accounts/passwords.ts'
import { countAndGetWait } from '../features/identity/attempts/attempts.service.ts'
import { applyClaimedRoles } from '../features/identity/identities/claimed-roles.service.ts'
import { deleteEndedFlows } from '../features/identity/identities/flows.service.ts'
import { identityRoutes } from '../features/identity/identities/identities.routes.ts'
import { openProvider, signOutAtProvider } from '../features/identity/identities/providers.ts'
import { openWorkos } from '../features/identity/identities/workos.ts'
import { passwordResetMail } from '../features/identity/password-resets/password-resets.emails.ts'
import { passwordResetRoutes } from '../features/identity/password-resets/password-resets.routes.ts'
import { mailPasswordReset, requestPasswordResetJob } from '../features/identity/password-resets/password-resets.service.ts'
import { memberSecurityRoutes } from '../features/identity/second-factor/member-security.routes.ts'
import { passkeyRoutes } from '../features/identity/second-factor/passkeys.routes.ts'
import { secondFactorRoutes } from '../features/identity/second-factor/second-factor.routes.ts'
import { cleanUp, cleanUpJob } from '../features/identity/sessions/clean-up.jobs.ts'
import { collectLastSeen } from '../features/identity/sessions/last-seen.ts'
import { sessionRoutes } from '../features/identity/sessions/sessions.routes.ts'
import { sessionAuthenticator, sessionLock } from '../features/identity/sessions/sessions.service.ts'
import { instanceRoutes } from '../features/instance/instance.routes.ts'
import { deleteOldMails, deliver, deliverMail, type MailTemplate } from '../features/mails/mails.service.ts'
import { NOTICE_MAILS } from '../features/notifications/notifications.emails.ts'
import { applyEvent as applyDirectoryChange, applyKnownMemberships } from '../features/organizations/directory/apply-change.service.ts'
import { readDirectoryEvents, readDirectoryEventsJob } from '../features/organizations/directory/directory.jobs.ts'
import { mountDirectoryWebhook } from '../features/organizations/directory/directory.routes.ts'
import { applyDirectoryEvent, deleteOldEvents as deleteOldDirectoryEvents } from '../features/organizations/directory/directory.service.ts'
import { checkDomainAgain, checkDomainJob, checkDomains, checkDomainsJob } from '../features/organizations/domains/domains.jobs.ts'
import { domainRoutes } from '../features/organizations/domains/domains.routes.ts'
import { invitationMail } from '../features/organizations/invitations/invitations.emails.ts'
import { invitationRoutes } from '../features/organizations/invitations/invitations.routes.ts'
import { memberRoutes } from '../features/organizations/members/members.routes.ts'
import { organizationRoutes } from '../features/organizations/organizations.routes.ts'
import type { PreparedReader } from '../platform/database/prepared.ts'
import { notFound } from '../platform/errors.ts'
import type { Platform, Route } from '../platform/http/context.ts'
import { type CostGate, costGate } from '../platform/http/costs.ts'
import { authGates, bearerOf } from '../platform/http/doors.ts'
import { mountHealth } from '../platform/http/health-route.ts'
import { type RequestLimits, requestLimits } from '../platform/http/limits.ts'
import { mountMetrics } from '../platform/http/metrics-route.ts'
import { mountRoute } from '../platform/http/mount.ts'
import type { RateLimiter } from '../platform/http/rate-limit.ts'
import { mountReference } from '../platform/http/reference-route.ts'
import { createHttpServer, type HttpServerOptions } from '../platform/http/server.ts'
import { mountAssets, openWebPages } from '../platform/http/web-pages.ts'
import type { JobType } from '../platform/jobs/jobs.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Metrics } from '../platform/metrics.ts'
import { publishedDocument } from '../published/published-document.ts'

/** Every kind of job there is: their queues exist before the first is enqueued. */
export const JOB_TYPES: readonly JobType<object>[] = [
  deliverMail,
  requestPasswordResetJob,
  applyBillingEvent,
  applyDirectoryEvent,
  readDirectoryEventsJob,
  cleanUpJob,
  checkDomainsJob,
  checkDomainJob,
]

/** Every kind of mail there is. */
const MAIL_TEMPLATES: readonly MailTemplate[] = [invitationMail, passwordResetMail, ...NOTICE_MAILS]

/** What the build of the web interface made; without it the API is all there is. */
const WEB_DIRECTORY = path.resolve(import.meta.dirname, '../../../web/dist')

/** How often notes of use are written to the database. */
const FLUSH_INTERVAL_MS = 1_000

export interface AppOptions {
  platform: Platform
  /** Looks up keys and sessions. */
  prepared: PreparedReader
  limiter: RateLimiter
  /** Limits what is expensive; left out, by counters in the database. */
  admit?: CostGate
  metrics: Metrics
  /** Undefined once requests can be served; until then the sentence that says why not. */
  notReady(): string | undefined
  shutdown?: Shutdown
}

/** How a process takes its leave. */
interface Shutdown {
  /** Requests are served still, but should go elsewhere. */
  isLeaving(): boolean
  /** Runs once it closes, while every answer ends its connection, and before the port is closed. */
  beforeClose(): Promise<void>
}

export interface App {
  http: FastifyInstance
  /** Everything that the contract declares, with its handler. */
  routes: readonly Route[]
  /** Writes what is noted in memory; also before closing. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Puts the features together. The only file that names every one of them. */
export const createApp = async (options: AppOptions): Promise<App> => {
  const { platform, prepared, limiter } = options
  const { config, clock, db, keys, log } = platform
  const passwords = createPasswords(config)
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
  const workos = config.AUTH_PROVIDER === 'workos' ? await openWorkos(config) : undefined
  const provider = openProvider(config, workos)
  const onProviderProfile = workos ? applyKnownMemberships(platform) : applyClaimedRoles(platform)
  const routes = [
    ...organizationRoutes(passwords),
    ...memberRoutes,
    ...memberSecurityRoutes(db, passwords),
    ...domainRoutes(db),
    ...invitationRoutes(passwords),
    ...engagementRoutes,
    ...apiKeyRoutes,
    ...auditRoutes,
    ...sessionRoutes(passwords, signOutAtProvider(provider)),
    ...identityRoutes(passwords, provider, onProviderProfile),
    ...passwordResetRoutes(passwords),
    ...accountRoutes(passwords),
    ...secondFactorRoutes(passwords),
    ...passkeyRoutes(passwords),
    ...instanceRoutes(limiter, JOB_TYPES, clock),
    ...billingRoutes,
    ...codeHostingRoutes,
  ]

  const pages = openWebPages(WEB_DIRECTORY)
  const limitUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    if (pages?.isFor(request)) return limits.uncounted(reply, request.ip)
    const value = request.raw.url?.startsWith('/api/v1/') ? bearerOf(request) : undefined
    const actor = value === undefined ? undefined : await authenticators.key(value, request.ip)
    if (actor) await limits.key(reply, actor.id, actor.organizationId)
    else await limits.anonymous(reply, request.ip)
  }
  const http = await openHttp(options, limits, limitUnknown)
  mountProbes(http, options, limits)
  mountReference(http, publishedDocument(config), limits)
  await mountBillingWebhook(http, platform, limits)
  mountCodeHostingWebhook(http, platform, limits)
  mountDirectoryWebhook(http, platform, limits, workos)
  const admit = options.admit ?? costGate((bucket, max, windowMs) => countAndGetWait(db, clock, bucket, max, windowMs), clock)
  for (const route of routes) mountRoute(http, platform, gates, admit, route)
  if (pages) mountAssets(http, pages, limits)
  http.setNotFoundHandler(async (request, reply) => {
    if (pages?.isFor(request)) return pages.answer(reply)
    throw notFound('There is no such endpoint.')
  })
  await http.ready()

  let writing = Promise.resolve()
  const flush = async () => {
    // What is being written when this is called is written when it returns.
    await writing.catch(() => undefined)
    writing = Promise.all([keyAuthentication.flush(), lastSeen.flush()]).then(() => undefined)
    await writing
  }
  const timer = setInterval(() => {
    flush().catch((error) => log.warn({ err: error }, 'times of last use were not written'))
  }, FLUSH_INTERVAL_MS)
  timer.unref()
  return {
    http,
    routes,
    flush,
    close: async () => {
      clearInterval(timer)
      await http.close()
      await flush().catch((error) => log.warn({ err: error }, 'times of last use were not written'))
      await limiter.close()
    },
  }
}

/** What a process that only does jobs listens for: whether it is well, and what it measures. */
export const createProbes = async (options: AppOptions): Promise<App> => {
  const { platform, limiter } = options
  const limits = requestLimits(limiter, platform.config)
  const http = await openHttp(options, limits, (request, reply) => limits.anonymous(reply, request.ip))
  mountProbes(http, options, limits)
  http.setNotFoundHandler(async () => {
    throw notFound('There is no such endpoint.')
  })
  await http.ready()
  return {
    http,
    routes: [],
    flush: async () => undefined,
    close: async () => {
      await http.close()
      await limiter.close()
    },
  }
}

const openHttp = ({ platform, metrics, notReady, shutdown }: AppOptions, limits: RequestLimits, limitUnknown: HttpServerOptions['limitUnknown']) => {
  const { config, log } = platform
  const { answered: onAnswer, refused: onRefused } = metrics
  return createHttpServer({ config, log, limits, notReady, onAnswer, onRefused, limitUnknown, beforeClose: shutdown?.beforeClose })
}

const mountProbes = (http: FastifyInstance, { platform, prepared, metrics, notReady, shutdown }: AppOptions, limits: RequestLimits): void => {
  const { config, clock } = platform
  const unready = () => notReady() ?? (shutdown?.isLeaving() ? 'The server is stopping.' : undefined)
  mountHealth(http, { prepared, clock, limits, notReady: unready })
  mountMetrics(http, config, metrics, limits)
}

/** Starts doing the jobs of every feature. */
export const startWorkers = async (platform: Platform, mailer: Mailer): Promise<void> => {
  const { jobs } = platform
  await jobs.work(deliverMail, ({ mailId }) => deliver(platform, mailer, MAIL_TEMPLATES, mailId))
  await jobs.work(requestPasswordResetJob, ({ email }) => mailPasswordReset(platform, email))
  await jobs.work(applyBillingEvent, ({ eventId }) => applyEvent(platform, eventId))
  await jobs.work(cleanUpJob, async () => {
    await cleanUp(platform)
    await deleteEndedFlows(platform)
    await deleteOldEvents(platform.db, platform.clock)
    await deleteOldPayloads(platform.db, platform.clock)
    await deleteOldDirectoryEvents(platform.db, platform.clock)
    await deleteOldMails(platform.db, platform.clock)
  })
  await jobs.work(checkDomainsJob, () => checkDomains(platform))
  await jobs.work(checkDomainJob, (data) => checkDomainAgain(platform, data))
  await jobs.work(applyDirectoryEvent, ({ eventId }) => applyDirectoryChange(platform, eventId))
  const workos = platform.config.AUTH_PROVIDER === 'workos' ? await openWorkos(platform.config) : undefined
  await jobs.work(readDirectoryEventsJob, async () => {
    if (workos) await readDirectoryEvents(platform, workos)
  })
  await jobs.schedule(cleanUpJob, '17 * * * *')
  await jobs.schedule(readDirectoryEventsJob, '*/5 * * * *')
  await jobs.schedule(checkDomainsJob, '41 3 * * *')
}
