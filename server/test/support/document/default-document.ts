import { parseConfig } from '../../../src/platform/config.ts'
import { publishedDocument } from '../../../src/published/published-document.ts'

/** The OpenAPI document of a server with default settings, as JSON. */
export const defaultDocument = async (): Promise<string> =>
  JSON.stringify(await publishedDocument(parseConfig({ SESSION_SECRET: 'only there because a secret is required' })))
