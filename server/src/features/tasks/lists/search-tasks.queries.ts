import { sql } from 'kysely'
import { objectSearch } from '../../../platform/search/objects.ts'

/** Searches tasks by title, labels and description. */
export const taskSearch = objectSearch({
  type: 'task',
  guard: 'tasks:read',
  table: 'tasks',
  title: sql`o.title`,
  text: sql`concat_ws(' ', array_to_string(o.labels, ' '), o.description)`,
})
