import { ownTimeZone } from '../../../ui/values/time-zones.ts'
import type { Scanner, Schedule } from '../labels.ts'
import { newScan, type ScanValues } from '../new/scan-values.ts'
import { type Timing, toCron, toTiming } from './cron.ts'

/** Form values of a schedule. `about` is `chosen` for a filter that the form cannot express; the filter is kept. */
export interface ScheduleValues
  extends
    Pick<ScanValues, 'name' | 'scanners' | 'about' | 'kinds' | 'tags' | 'since'>,
    Timing,
    Record<string, unknown> {
  timeZone: string
}

export const newSchedule = (scanners: readonly Scanner[]): ScheduleValues => {
  const { skipsOutOfScope: _, ...usual } = newScan(scanners)
  return { ...usual, ...toTiming('0 2 * * 1-5'), timeZone: ownTimeZone() }
}

export const valuesOf = ({ name, scanners, cron, timeZone }: Schedule): ScheduleValues => ({
  ...newSchedule([]),
  name,
  scanners,
  about: 'chosen',
  ...toTiming(cron),
  timeZone,
})

/** Name, scanners and timing of the form, as the API takes them. */
export const timingOf = (values: ScheduleValues) => ({
  name: values.name.trim(),
  cron: toCron(values),
  timeZone: values.timeZone,
  scanners: values.scanners,
})

export const isComplete = ({ name, scanners, cron, repeats }: ScheduleValues): boolean =>
  name.trim() !== '' && scanners.length > 0 && (repeats !== 'cron' || cron.trim() !== '')
