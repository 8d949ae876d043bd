import * as contract from '@sortie/contract/clients/clients.ts'
import type { Static } from 'typebox'
import type { Transaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { type ClientRow, clientList, findClient, listFindingsByYear } from './clients.queries.ts'
import { createClient, deleteClient, updateClient } from './clients.service.ts'

/** Deletes the rows of a client's files. */
export type DeleteFilesOfClient = (tx: Transaction, organizationId: string, clientId: string) => Promise<void>

export const clientRoutes = (deleteFiles: DeleteFilesOfClient): Route[] => [
  route(contract.createClient, async (context) => ({
    data: toClient(await createClient(context, context.actor, context.body)),
  })),

  route(contract.listClients, async (context) => {
    const { rows, meta } = await clientList.page(context, context.query)
    return { data: rows.map(toClient), meta }
  }),

  route(contract.getClient, async ({ db, actor, params }) => {
    const row = await findClient(db, actor.organizationId, params.clientId)
    if (!row) throw notFound()
    return { data: toClient(row) }
  }),

  route(contract.listClientFindingsByYear, async ({ db, actor, params }) => {
    if (!(await findClient(db, actor.organizationId, params.clientId))) throw notFound()
    return { data: await listFindingsByYear(db, actor.organizationId, params.clientId) }
  }),

  route(contract.updateClient, async (context) => ({
    data: toClient(await updateClient(context, context.actor, context.params.clientId, context.body)),
  })),

  route(contract.deleteClient, async (context) => {
    await deleteClient(context, context.actor, context.params.clientId, deleteFiles)
    return { data: { deleted: true, id: context.params.clientId } }
  }),
]

const toClient = (row: ClientRow): Static<typeof contract.Client> => ({
  id: row.id,
  name: row.name,
  shortName: row.short_name,
  domains: row.domains,
  contacts: row.contacts as Static<typeof contract.Client>['contacts'],
  notes: row.notes,
  language: row.language,
  retention: row.retention as Static<typeof contract.Client>['retention'],
  fields: row.fields,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name as string },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
