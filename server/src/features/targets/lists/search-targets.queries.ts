import { sql } from 'kysely'
import { objectSearch } from '../../../platform/search/objects.ts'

/** Searches targets by value, canonical form, tags and notes. */
export const targetSearch = objectSearch({
  type: 'target',
  guard: 'targets:read',
  table: 'targets',
  title: sql`o.value`,
  text: sql`concat_ws(' ', nullif(o.canonical, o.value), array_to_string(o.tags, ' '), o.notes)`,
})
