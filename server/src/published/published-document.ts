import { GROUPS, NAMED_SCHEMAS } from '@sortie/contract/groups.ts'
import type { Config } from '../platform/config.ts'
import { openApiDocument } from '../platform/http/openapi.ts'
import { publishedDecisions } from './open-points.ts'

/** The OpenAPI document of an instance with this configuration. */
export const publishedDocument = (config: Config) => openApiDocument({ groups: GROUPS, namedSchemas: NAMED_SCHEMAS, decisions: publishedDecisions(), config })
