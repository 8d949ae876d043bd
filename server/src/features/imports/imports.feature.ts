import type { Feature } from '../../platform/feature.ts'
import { importFile } from './import.job.ts'
import { importRoutes } from './imports.routes.ts'
import { undoImportJob } from './undo.job.ts'

export const imports: Feature = {
  name: 'imports',
  routes: () => importRoutes,
  longRunningJobs: [importFile, undoImportJob],
}
