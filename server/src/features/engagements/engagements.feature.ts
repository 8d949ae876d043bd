import { type Feature, job } from '../../platform/feature.ts'
import { removeEngagement, removeEngagementJob } from './deletion.service.ts'
import { engagementRoutes } from './engagements.routes.ts'

export const engagements: Feature = { name: 'engagements', routes: () => engagementRoutes, jobs: [job(removeEngagementJob, removeEngagement)] }
