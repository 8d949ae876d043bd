import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { findFirstStart, findLastBackup } from '../last-backup.queries.ts'

/**
 * Measures age and size of the last backup. Without one, the age is that of the database: one alert rule covers both.
 */
export const measureBackups = (metrics: Metrics, { db, clock }: { db: Database; clock: Clock }): void => {
  metrics.gauge(
    'sortie_backup_age_seconds',
    'Seconds since the state that the last complete backup holds; without a backup, since the first start.',
    async () => {
      const at = (await findLastBackup(db))?.taken_at ?? (await findFirstStart(db))
      return at === null ? undefined : Math.max(0, (clock.now() - Date.parse(at)) / 1000)
    },
  )
  metrics.gauge('sortie_backup_bytes', 'Size of the last complete backup.', async () => {
    const last = await findLastBackup(db)
    return last && Number(last.bytes)
  })
}
