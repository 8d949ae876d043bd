import type { BlockValue, LiveType } from '@sortie/contract/reports/report-data.ts'
import { coverage } from './coverage.ts'
import type { LiveContext } from './live-context.ts'
import { contacts, glossary, inventory, operations, scope, team, testingWindow, tools } from './of-engagement.ts'
import { changes, findingsTable, retest, severitySummary } from './of-findings.ts'

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
