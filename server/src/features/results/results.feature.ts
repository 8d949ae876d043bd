import { isoTime } from '../../platform/clock.ts'
import type { Feature } from '../../platform/feature.ts'
import { resultTitles } from './result-titles.ts'
import { reopenExpired } from './results.queries.ts'
import { evidenceRoutes, resultRoutes } from './results.routes.ts'

export const results: Feature = {
  name: 'results',
  routes: () => [...resultRoutes, ...evidenceRoutes],
  titles: resultTitles,
  cleanUp: ({ db, clock }) => {
    const now = isoTime(clock.now())
    return reopenExpired(db, now.slice(0, 10), now)
  },
}
