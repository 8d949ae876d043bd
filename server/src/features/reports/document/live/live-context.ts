import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { WholeFindingRow } from '../../../findings/findings.queries.ts'
import type { Words } from '../../labels/dates.ts'
import type { SectionRow } from '../../sections/sections.queries.ts'
import type { Composer, Place } from '../composer.ts'
import type { ReportSource } from '../read-source.ts'

/** What a live section is made from. */
export interface LiveContext {
  source: ReportSource
  composer: Composer
  words: Words
  place: Place
  section: SectionRow
  /** In the order of the report. */
  findings: readonly WholeFindingRow[]
  severities: ReportDataValue['severities']
}
