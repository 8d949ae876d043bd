import type { Feature } from '../../platform/feature.ts'
import { clientRoutes, type DeleteFilesOfClient } from './clients.routes.ts'

/** @param deleteFiles deletes the rows of a client's files; files are a feature above this one */
export const clients = (deleteFiles: DeleteFilesOfClient): Feature => ({
  name: 'clients',
  routes: () => clientRoutes(deleteFiles),
})
