import type { Feature } from '../../platform/feature.ts'
import { fieldDefinitionRoutes } from './field-definitions.routes.ts'
import { cleanFields } from './field-definitions.service.ts'

export const customFields: Feature = {
  name: 'custom-fields',
  routes: () => fieldDefinitionRoutes,
  cleanUp: cleanFields,
}
