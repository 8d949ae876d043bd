import type { Door } from '@sortie/contract/core/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { recordDownload } from '../features/audit/downloads.ts'
import type { Platform } from '../platform/context.ts'
import type { Feature } from '../platform/feature.ts'
import type { CostGate } from '../platform/http/limits/costs.ts'
import type { RequestLimits } from '../platform/http/limits/rate-limit.ts'
import { createDispatcher } from '../platform/http/routes/dispatch.ts'
import type { AuthGate } from '../platform/http/routes/doors.ts'
import { mountRoute } from '../platform/http/routes/mount.ts'
import type { Route } from '../platform/http/routes/route.ts'
import { mountWebhook } from '../platform/http/routes/webhook.ts'

interface Guards {
  gates: Record<Door, AuthGate>
  costs: CostGate
  limits: RequestLimits
}

/** Opens what the features bring: endpoints at their doors, webhooks, and protocols that call the endpoints. */
export const mountEndpoints = async (
  http: FastifyInstance,
  platform: Platform,
  { gates, costs, limits }: Guards,
  features: readonly Pick<Feature, 'webhooks' | 'mountProtocol'>[],
  routes: readonly Route[],
): Promise<void> => {
  for (const feature of features)
    for (const webhook of (await feature.webhooks?.(platform)) ?? []) mountWebhook(http, limits, webhook)
  for (const route of routes) mountRoute(http, platform, gates, costs, route, recordDownload)
  const dispatcher = createDispatcher(platform, gates.key, costs, routes)
  for (const feature of features) feature.mountProtocol?.(http, platform, gates.key, dispatcher)
}
