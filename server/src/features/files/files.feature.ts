import { type Feature, job } from '../../platform/feature.ts'
import { cleanFiles, cleanFilesJob } from './files.jobs.ts'
import { fileRoutes } from './files.routes.ts'
import { joinStoredBytes } from './room.service.ts'

export const files: Feature = {
  name: 'files',
  routes: () => fileRoutes,
  jobs: [job(cleanFilesJob, cleanFiles, '37 * * * *')],
  cleanUp: joinStoredBytes,
}
