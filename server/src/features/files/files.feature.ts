import { type Feature, job } from '../../platform/feature.ts'
import { removeBytesJob, removeDeletedBytes } from './deleted-bytes.service.ts'
import { cleanFiles, cleanFilesJob } from './files.jobs.ts'
import { fileRoutes } from './files.routes.ts'
import { joinStoredBytes } from './room.service.ts'

export const files: Feature = {
  name: 'files',
  routes: () => fileRoutes,
  jobs: [job(cleanFilesJob, cleanFiles, '37 * * * *'), job(removeBytesJob, (worker, _data, signal) => removeDeletedBytes(worker, signal), '* * * * *')],
  cleanUp: joinStoredBytes,
}
