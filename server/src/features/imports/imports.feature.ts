import type { Feature } from '../../platform/feature.ts'
import { importFile } from './import.work.ts'
import { importRoutes } from './imports.routes.ts'
import { takeImportBack } from './undo.work.ts'

export const imports: Feature = { name: 'imports', routes: () => importRoutes, works: [importFile, takeImportBack] }
