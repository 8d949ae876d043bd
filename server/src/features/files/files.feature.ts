import { withEveryRow } from '../../platform/database/every-row.ts'
import { type Feature, job } from '../../platform/feature.ts'
import { removeDeletedBytes } from '../../platform/files/deleted-bytes.ts'
import { clientFileRoutes } from './client-files.routes.ts'
import { cleanFiles, cleanFilesJob, removeBytesJob } from './files.jobs.ts'
import { fileRoutes } from './files.routes.ts'
import { joinStoredBytes } from './storage-quota.service.ts'

export const files: Feature = {
  name: 'files',
  routes: () => [...fileRoutes, ...clientFileRoutes],
  jobs: [
    job(cleanFilesJob, (worker) => cleanFiles(withEveryRow(worker)), '37 * * * *'),
    job(removeBytesJob, (worker, _data, signal) => removeDeletedBytes(withEveryRow(worker), signal), '* * * * *'),
  ],
  cleanUp: joinStoredBytes,
}
