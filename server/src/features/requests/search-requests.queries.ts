import { sql } from 'kysely'
import { objectSearch } from '../../platform/search/objects.ts'

/** Searches saved requests by name, method, URL and description. */
export const requestSearch = objectSearch({
  type: 'request',
  guard: 'api-requests:read',
  table: 'api_requests',
  title: sql`o.name`,
  text: sql`concat_ws(' ', o.method, o.url, o.description)`,
})
