import type { ProductFeature } from '../engagements/parts.ts'
import { renderJob } from './render.job.ts'
import { deleteOldRenders } from './renders.service.ts'
import { reportRenderRoutes } from './report-renders.routes.ts'
import { certificateRoutes } from './signing/certificates.routes.ts'
import { resealCertificates } from './signing/certificates.service.ts'

export const reportRenders: ProductFeature = {
  name: 'report-renders',
  routes: () => [...reportRenderRoutes, ...certificateRoutes],
  longRunningJobs: [renderJob],
  reseal: resealCertificates,
  cleanUp: deleteOldRenders,
}
