import { sql } from 'kysely'
import { objectSearch } from '../../../platform/search/objects.ts'

/** Searches results by asset, title, CVE, rule, texts of tools, tags and notes. */
export const resultSearch = objectSearch({
  type: 'result',
  guard: 'targets:read',
  table: 'results',
  title: sql`o.title`,
  text: sql`concat_ws(' ', o.asset, translate(result_texts(o.data, o.large_data), '[]{}"', ''), array_to_string(o.tags, ' '), o.notes)`,
})
