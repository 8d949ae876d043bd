import { GROUPS, NAMED_SCHEMAS } from '@sortie/contract/core/groups.ts'
import type { Config } from '../platform/config.ts'
import { openApiDocument } from '../platform/http/openapi/openapi.ts'
import { publishedDecisions } from './open-points.ts'
import { renderCases } from './recognition-cases.ts'

/** The description of targets ends with the table of recognised values. */
const DESCRIBED_GROUPS = GROUPS.map((group) =>
  group.name === 'Targets'
    ? { ...group, description: `${group.description} A value is recognized as:\n\n${renderCases().trim()}` }
    : group,
)

/** The OpenAPI document of an instance with this configuration. */
export const publishedDocument = (config: Config) =>
  openApiDocument({ groups: DESCRIBED_GROUPS, namedSchemas: NAMED_SCHEMAS, decisions: publishedDecisions(), config })
