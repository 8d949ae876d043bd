import { sql } from 'kysely'
import { objectSearch } from '../../platform/search/objects.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import type { RunTools } from '../requests/runs/execute/perform.service.ts'
import { retestRoutes } from './retests.routes.ts'

export const retests: ProductFeature<{ runTools: RunTools }> = {
  name: 'retests',
  routes: ({ runTools }) => retestRoutes(runTools),
  search: objectSearch({ type: 'retest', guard: 'reports:read', table: 'retests', title: sql`o.name`, text: sql`''` }),
}
