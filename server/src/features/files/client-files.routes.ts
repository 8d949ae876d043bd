import * as contract from '@sortie/contract/clients/clients.ts'
import { notFound } from '../../platform/errors.ts'
import type { Route } from '../../platform/http/routes/route.ts'
import { findClient, lockClient } from '../clients/clients.queries.ts'
import { fileRoutesOf } from './file-routes.ts'
import type { FileHolder } from './files.service.ts'

const requireClient: FileHolder['requireWritable'] = async (db, organizationId, clientId) => {
  if (!(await findClient(db, organizationId, clientId))) throw notFound()
}

const ofClients: FileHolder = {
  type: 'client',
  find: requireClient,
  requireWritable: requireClient,
  hold: async (tx, { organizationId }, clientId) => {
    if (!(await lockClient(tx, organizationId, clientId))) throw notFound()
    return { engagementId: null }
  },
}

const ENDPOINTS = {
  upload: contract.uploadClientFile,
  list: contract.listClientFiles,
  download: contract.downloadClientFile,
  remove: contract.deleteClientFile,
}

export const clientFileRoutes: Route[] = fileRoutesOf(ENDPOINTS, ofClients, 'clientId')
