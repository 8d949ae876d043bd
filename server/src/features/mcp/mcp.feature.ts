import type { Feature } from '../../platform/feature.ts'
import { mountMcp } from './mcp.routes.ts'

export const mcp: Feature = { name: 'mcp', mountProtocol: mountMcp }
