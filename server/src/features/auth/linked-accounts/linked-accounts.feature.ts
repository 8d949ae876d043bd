import type { Feature } from '../../../platform/feature.ts'
import { deleteEndedFlows } from './flows.service.ts'
import { type IdentityParts, identityRoutes } from './linked-accounts.routes.ts'

export const identities: Feature<IdentityParts> = {
  name: 'identities',
  routes: identityRoutes,
  cleanUp: deleteEndedFlows,
}
