import type { ProductFeature } from '../engagements/parts.ts'
import { cloneScope } from './clone-scope.service.ts'
import { scopeRoutes } from './scope.routes.ts'
import type { ReevaluateTargets } from './scope.service.ts'
import { emptyScopeTrash } from './undo/undo.service.ts'

/** @param reevaluateTargets reevaluates all targets when the rules of an engagement change */
export const scope = (reevaluateTargets: ReevaluateTargets): ProductFeature => ({
  name: 'scope',
  routes: () => scopeRoutes(reevaluateTargets),
  cleanUp: emptyScopeTrash,
  engagementPart: { clone: { part: 'scope', copy: cloneScope } },
})
