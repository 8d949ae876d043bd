import * as contract from '@sortie/contract/custom-fields/field-definitions.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { type DefinitionRow, listDefinitions } from './field-definitions.queries.ts'
import { createFieldDefinition, deleteFieldDefinition, updateFieldDefinition } from './field-definitions.service.ts'

export const fieldDefinitionRoutes: Route[] = [
  route(contract.listFieldDefinitions, async ({ db, actor, query }) => ({
    data: (await listDefinitions(db, actor.organizationId, query.objectType)).map(toDefinition),
  })),

  route(contract.createFieldDefinition, async (context) => ({
    data: toDefinition(await createFieldDefinition(context, context.actor, context.body)),
  })),

  route(contract.updateFieldDefinition, async (context) => ({
    data: toDefinition(await updateFieldDefinition(context, context.actor, context.params.definitionId, context.body)),
  })),

  route(contract.deleteFieldDefinition, async (context) => {
    await deleteFieldDefinition(context, context.actor, context.params.definitionId)
    return { data: { deleted: true, id: context.params.definitionId } }
  }),
]

const toDefinition = (row: DefinitionRow) => ({
  id: row.id,
  objectType: row.object_type,
  key: row.key,
  type: row.type,
  label: row.label,
  options: row.options,
  required: row.required,
  help: row.help,
  position: row.position,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
