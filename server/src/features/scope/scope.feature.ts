import type { ProductFeature } from '../engagements/parts.ts'
import type { ReadSendingState } from './check-scope.service.ts'
import { cloneScope } from './clone-scope.service.ts'
import { scopeRoutes } from './scope.routes.ts'
import type { ReevaluateTargets } from './scope.service.ts'
import { emptyScopeTrash } from './undo/undo.service.ts'

/**
 * @param reevaluateTargets reevaluates all targets when the rules of an engagement change
 * @param readSendingState decides by status, days and hours whether something may be sent
 */
export const scope = (reevaluateTargets: ReevaluateTargets, readSendingState: ReadSendingState): ProductFeature => ({
  name: 'scope',
  routes: () => scopeRoutes(reevaluateTargets, readSendingState),
  cleanUp: emptyScopeTrash,
  engagementPart: { clone: { part: 'scope', copy: cloneScope } },
})
