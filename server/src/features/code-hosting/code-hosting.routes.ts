import * as contract from '@sortie/contract/organization/code-hosting.ts'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { readPage } from '../../platform/http/answers/pages.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { headerOf, type Webhook } from '../../platform/http/routes/webhook.ts'
import * as query from './code-hosting.queries.ts'
import {
  confirmRepository,
  connectRepository,
  disconnectRepository,
  receiveDelivery,
  updateRepository,
} from './code-hosting.service.ts'
import { readDelivery, verifyGitHubSignature } from './github-deliveries.ts'

const MAX_PENDING_SHOWN = 100

/** `POST /api/code-hosting/webhook` (specification, section 6; open point 27). Exists only with its secret. */
export const codeHostingWebhooks = async ({ config, db, clock, jobs }: Platform): Promise<Webhook[]> => {
  const secrets = config.CODE_HOSTING_WEBHOOK_SECRET
  if (!secrets) return []
  const webhook: Webhook = {
    url: '/api/code-hosting/webhook',
    signatureHeader: 'X-Hub-Signature-256',
    verify: (text, headers) => verifyGitHubSignature(text, headerOf(headers, 'x-hub-signature-256'), secrets),
    receive: (text, headers) => receiveDelivery({ db, clock, jobs }, text, readDelivery(text, headers)),
  }
  return [webhook]
}

export const codeHostingRoutes: Route[] = [
  route(contract.listRepositories, async ({ db, actor, config }) => {
    const rows = await query.listRepositories(db, actor.organizationId)
    return { data: rows.map(toRepository), meta: { enabled: config.CODE_HOSTING_WEBHOOK_SECRET !== undefined } }
  }),

  route(contract.connectRepository, async ({ change, actor, person, clock, body }) => ({
    data: toRepository(await connectRepository(change, actor, person, clock, body)),
  })),

  route(contract.updateRepository, async ({ change, actor, clock, params, body }) => ({
    data: toRepository(await updateRepository(change, actor, clock, params.repositoryId, body.engagementId)),
  })),

  route(contract.disconnectRepository, async ({ change, actor, clock, params }) => {
    await disconnectRepository(change, actor, clock, params.repositoryId)
    return { data: { disconnected: true, repositoryId: params.repositoryId } }
  }),

  route(contract.listDeliveries, ({ db, actor, query: asked }) => deliveryPage(db, actor.organizationId, asked)),

  route(contract.listPendingRepositories, async ({ db }) => ({
    data: (await query.listPendingRepositories(db, MAX_PENDING_SHOWN)).map(toInstanceRepository),
  })),

  route(contract.confirmRepository, async ({ change, person, clock, params }) => ({
    data: toInstanceRepository(await confirmRepository(change, person, clock, params.repositoryId)),
  })),

  route(contract.listUnassignedDeliveries, ({ db, query: asked }) => deliveryPage(db, null, asked)),
]

const deliveryPage = async (
  db: Database,
  organizationId: string | null,
  asked: { cursor: string | undefined; perPage: number },
) => {
  const read = (before: string | undefined, limit: number) => query.listDeliveries(db, organizationId, before, limit)
  const { rows, meta } = await readPage(asked, 'dlv', read, ({ id }) => id)
  return { data: rows.map(toDelivery), meta }
}

const toRepository = (row: query.RepositoryRow) => ({
  id: row.id,
  fullName: row.full_name,
  status: row.confirmed_at === null ? ('pending' as const) : ('connected' as const),
  requestedAt: row.requested_at,
  connectedAt: row.confirmed_at,
  engagementId: row.issues_engagement_id,
})

const toInstanceRepository = (row: query.RepositoryRow & { organization_id: string; organization_name: string }) => ({
  ...toRepository(row),
  organization: { id: row.organization_id, name: row.organization_name },
})

const toDelivery = (row: Awaited<ReturnType<typeof query.listDeliveries>>[number]) => ({
  id: row.id,
  deliveryId: row.delivery_id,
  event: row.event,
  action: row.action,
  repository: row.repository,
  receivedAt: row.received_at,
})
