import type { ReportSection } from './report-words.tsx'

export type LiveType = NonNullable<ReportSection['live']>['type']

/** In the order of the menu. */
export const LIVE_LABELS: Record<LiveType, string> = {
  findings: 'Findings',
  findings_table: 'Table of findings',
  severity_summary: 'Severity summary',
  scope: 'Scope',
  testing_window: 'Testing window',
  coverage: 'Coverage',
  inventory: 'Hosts and services',
  team: 'Team',
  contacts: 'Contacts',
  tools: 'Tools',
  operations: 'Operation log',
  retest: 'Retest results',
  changes: 'Changes since an edition',
  glossary: 'Glossary',
}

export const LIVE_TYPES = Object.keys(LIVE_LABELS) as LiveType[]

/** What a section shows, for its author. */
export const LIVE_SENTENCES: Record<LiveType, string> = {
  findings:
    'Every finding of the report in full: facts, texts, affected assets and evidence, in the order of the template.',
  findings_table: 'One row for each finding, with number, title, severity and status.',
  severity_summary: 'How many findings each severity has, as a table and a chart.',
  scope:
    'The scope rules of the engagement: what was in scope, what needed caution, and what was excluded, with their notes.',
  testing_window: 'The dates, hours and time zone of the test, and the source addresses in the operation log.',
  coverage: 'The checks of a methodology: how many were tested, passed, failed and not applicable.',
  inventory: 'The hosts that were found, with their services.',
  team: 'The people who did the work, with their roles.',
  contacts: 'The contacts of the client and of the engagement.',
  tools: 'The tools that were used, with their versions.',
  operations: 'What was sent where and when, from the operation log. A long log is shortened.',
  retest: 'Each affected asset before and after the retest, with its notes.',
  changes: 'Findings that are new, changed or closed since an edition of this report.',
  glossary: 'The terms that the report uses, with their meaning.',
}

/** Reference of a live section in the engagement: the page where its content is changed. */
export const LIVE_PAGES: Partial<Record<LiveType, { label: string; page: string }>> = {
  findings: { label: 'Findings', page: 'findings' },
  findings_table: { label: 'Findings', page: 'findings' },
  severity_summary: { label: 'Findings', page: 'findings' },
  scope: { label: 'Scope', page: 'scope' },
  testing_window: { label: 'Overview', page: '' },
  coverage: { label: 'Coverage', page: 'coverage' },
  inventory: { label: 'Targets', page: 'targets' },
  team: { label: 'Overview', page: '' },
  contacts: { label: 'Overview', page: '' },
  tools: { label: 'Operation log', page: 'operations' },
  operations: { label: 'Operation log', page: 'operations' },
  retest: { label: 'Retests', page: 'retests' },
}
