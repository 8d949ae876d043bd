import type { LiveType, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import type { WholeFindingRow } from '../../../findings/findings.queries.ts'
import type { Words } from '../../labels/dates.ts'
import type { SectionRow } from '../../sections/sections.queries.ts'
import type { Composer, Place } from '../composer.ts'
import type { ReportSource } from '../read-source.ts'
import { coverage } from './coverage.ts'
import { contacts, glossary, inventory, operations, scope, team, testingWindow, tools } from './of-engagement.ts'
import { changes, findingsTable, retest, severitySummary } from './of-findings.ts'

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

const MAKERS: Record<Exclude<LiveType, 'findings'>, (context: LiveContext) => BlockValue[]> = {
  findings_table: findingsTable,
  severity_summary: severitySummary,
  scope,
  testing_window: testingWindow,
  coverage,
  inventory,
  team,
  contacts,
  tools,
  operations,
  retest,
  changes,
  glossary,
}

/** The blocks of a section that is filled from the engagement. Findings themselves are written from report-data. */
export const liveBlocks = (type: Exclude<LiveType, 'findings'>, context: LiveContext): BlockValue[] =>
  MAKERS[type](context)
