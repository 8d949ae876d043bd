import { housekeepingJob } from '../../platform/feature.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { runScan } from './run/scan.job.ts'
import { scanTitles } from './scan-titles.ts'
import { countRunningScans } from './scans.queries.ts'
import { scanRoutes } from './scans.routes.ts'
import { startDueScans, startDueScansJob } from './schedules/schedules.jobs.ts'
import { disableSchedules } from './schedules/schedules.queries.ts'
import { scheduleRoutes } from './schedules/schedules.routes.ts'

export const scans: ProductFeature = {
  name: 'scans',
  routes: () => [...scanRoutes, ...scheduleRoutes],
  // In safe mode each start is refused, and the schedule records why.
  jobs: [housekeepingJob(startDueScansJob, startDueScans, '* * * * *')],
  longRunningJobs: [runScan],
  titles: scanTitles,
  engagementPart: {
    stop: disableSchedules,
    overview: {
      scope: 'targets:read',
      count: async (db, organizationId, engagementId) => ({
        runningScans: await countRunningScans(db, organizationId, engagementId),
      }),
    },
  },
}
