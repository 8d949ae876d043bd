import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { BASE_LIFETIME_MS } from '../../findings/texts/save-texts.service.ts'
import { deleteRevisionsBefore } from './sections.queries.ts'

const AT_ONCE = 2_000

/** Deletes texts of sections that no edit can be based on any more. */
export const cleanReportTexts = async ({ clock, db }: Platform): Promise<void> => {
  const replaced = isoTime(clock.now() - BASE_LIFETIME_MS)
  for (let deleted = AT_ONCE; deleted === AT_ONCE;) deleted = await deleteRevisionsBefore(db, replaced, AT_ONCE)
}
