import * as doctor from '@sortie/contract/instance/doctor.ts'
import * as contract from '@sortie/contract/organization/instance.ts'
import { isoTime } from '../../platform/clock.ts'
import type { ConnectionSettings, Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import { pageMeta, readPage } from '../../platform/http/answers/pages.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { countJobs } from '../../platform/jobs/jobs.ts'
import { BUILD } from '../../platform/version.ts'
import { setInstanceAdmin } from '../auth/accounts/instance-admins.service.ts'
import type { Passwords } from '../auth/passwords/passwords.ts'
import { listMails } from '../mails/mails.queries.ts'
import { retryMail } from '../mails/mails.service.ts'
import { administrationRoutes } from './administration/administration.routes.ts'
import { type HealthParts, readComponents } from './health.service.ts'
import { listAccounts, listOrganizations } from './instance.queries.ts'
import { createOrganizationWithOwner } from './instance.service.ts'
import { goLive, reportSafeMode } from './safe-mode.service.ts'

export interface InstanceParts extends HealthParts {
  passwords: Passwords
  /** Address of the database, for a read-only connection of the doctor. */
  connection: ConnectionSettings
}

export const instanceRoutes = (parts: InstanceParts): Route[] => {
  const { connection, jobTypes } = parts
  const startedAt = parts.platform.clock.now()
  return [
    route(contract.getInstance, async ({ clock, config }) => {
      const { instance, components } = await readComponents(parts)
      return {
        data: {
          ...BUILD,
          schemaVersion: instance.schema_version,
          postgresVersion: instance.postgres_version,
          nodeVersion: process.versions.node,
          embeddedDatabase: config.DATABASE_URL === undefined,
          startedAt: isoTime(startedAt),
          uptimeSeconds: Math.max(0, Math.floor((clock.now() - startedAt) / 1000)),
          frontendUrl: config.FRONTEND_URL,
          organizationCount: instance.organization_count,
          accountCount: instance.account_count,
          components,
        },
      }
    }),

    route(doctor.runDoctor, async ({ config, outside }) => {
      const { runDoctor } = await import('./doctor/doctor.ts')
      return { data: { checks: await outside(() => runDoctor(config, connection)) } }
    }),

    route(contract.getSafeMode, async (context) => ({ data: await reportSafeMode(context) })),

    route(contract.goLive, async (context) => {
      const { sendWaitingMail = false } = context.body
      return { data: await goLive(context, { person: context.person }, sendWaitingMail) }
    }),

    route(contract.listInstanceOrganizations, async ({ db, query }) => {
      const { page, perPage, search } = query
      const { rows, total } = await listOrganizations(db, search, perPage, (page - 1) * perPage)
      return { data: rows.map(toOrganization), meta: pageMeta(query, total) }
    }),

    route(contract.createOrganization, async (context) => {
      const { organization, owner, ownerIsNew, createdAt } = await createOrganizationWithOwner(
        context,
        { person: context.person },
        context.body,
      )
      const { id, name, slug } = organization
      return {
        data: {
          organization: { id, name, slug, plan: context.config.DEFAULT_PLAN, memberCount: 1, createdAt, owner },
          ownerIsNew,
        },
      }
    }),

    route(contract.listAccounts, async ({ db, query }) => {
      const { page, perPage, search, isInstanceAdmin, isDisabled } = query
      const filter = { search, isInstanceAdmin: flagOf(isInstanceAdmin), isDisabled: flagOf(isDisabled) }
      const { rows, total } = await listAccounts(db, filter, perPage, (page - 1) * perPage)
      return { data: rows.map(toAccount), meta: pageMeta(query, total) }
    }),

    route(contract.setInstanceAdmin, async (context) => {
      const { person, params, body } = context
      await setInstanceAdmin(context, { person }, params.userId, body.isInstanceAdmin)
      return { data: { id: params.userId, isInstanceAdmin: body.isInstanceAdmin } }
    }),

    ...administrationRoutes(parts.passwords),

    route(contract.listJobQueues, async ({ db }) => {
      const queues = await countJobs(db, jobTypes)
      return {
        data: queues.map(({ oldest_waiting_at, ...counts }) => ({ ...counts, oldestWaitingAt: oldest_waiting_at })),
      }
    }),

    route(contract.listMails, async ({ db, query }) => {
      const read = (before: string | undefined, limit: number) => listMails(db, { status: query.status, before }, limit)
      const { rows, meta } = await readPage(query, 'mal', read, ({ id }) => id)
      return { data: rows.map(toMail), meta }
    }),

    route(contract.retryMail, async (context) => {
      await retryMail(context, context.person, context.params.mailId)
      return { data: await readMail(context.db, context.params.mailId) }
    }),
  ]
}

const flagOf = (value: 'true' | 'false' | undefined) => (value === undefined ? undefined : value === 'true')

const readMail = async (db: Database, id: string) => {
  const [row] = await listMails(db, { status: undefined, before: undefined, id }, 1)
  if (!row) throw notFound()
  return toMail(row)
}

const toOrganization = (row: Awaited<ReturnType<typeof listOrganizations>>['rows'][number]) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  plan: row.plan,
  memberCount: row.member_count,
  createdAt: row.created_at,
  storedBytes: Math.max(0, row.stored_bytes),
  removedAt: row.removed_at,
  owner:
    row.owner_id && row.owner_name && row.owner_email
      ? { id: row.owner_id, name: row.owner_name, email: row.owner_email }
      : null,
})

const toAccount = (row: Awaited<ReturnType<typeof listAccounts>>['rows'][number]) => ({
  id: row.id,
  name: row.name,
  email: row.email,
  isInstanceAdmin: row.is_instance_admin,
  secondFactorEnabled: row.second_factor_enabled,
  hasPassword: row.has_password,
  organizationCount: row.organization_count,
  organizations: row.organizations,
  disabledAt: row.disabled_at,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
})

const toMail = (row: Awaited<ReturnType<typeof listMails>>[number]) => ({
  id: row.id,
  kind: row.kind,
  recipient: row.recipient,
  organization:
    row.organization_id && row.organization_name ? { id: row.organization_id, name: row.organization_name } : null,
  status: row.status,
  attempts: row.attempts,
  lastError: row.last_error,
  createdAt: row.created_at,
  // A mail that was held back has the time at which it would have been sent.
  sentAt: row.status === 'sent' ? row.sent_at : null,
})
