import type { Feature } from '../../platform/feature.ts'
import { codeHostingRoutes, codeHostingWebhooks } from './code-hosting.routes.ts'
import { deleteOldPayloads } from './code-hosting.service.ts'

export const codeHosting: Feature = {
  name: 'code-hosting',
  routes: () => codeHostingRoutes,
  webhooks: codeHostingWebhooks,
  cleanUp: ({ db, clock }) => deleteOldPayloads(db, clock),
}
