import * as account from './account.ts'
import * as apiKeys from './api-keys.ts'
import * as apiRequests from './api-requests.ts'
import * as audit from './audit.ts'
import * as billing from './billing.ts'
import * as codeHosting from './code-hosting.ts'
import * as coverage from './coverage.ts'
import * as domains from './domains.ts'
import { type Endpoint, isEndpoint } from './endpoint.ts'
import * as engagementActivity from './engagement-activity.ts'
import * as engagementDetails from './engagement-details.ts'
import * as engagementOverview from './engagement-overview.ts'
import * as engagementSummaries from './engagement-summaries.ts'
import * as engagements from './engagements.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as identities from './identities.ts'
import * as imports from './imports.ts'
import * as instance from './instance.ts'
import * as invitations from './invitations.ts'
import * as memberSecurity from './member-security.ts'
import * as members from './members.ts'
import * as methodologies from './methodologies.ts'
import * as notices from './notices.ts'
import * as operations from './operations.ts'
import * as organizations from './organizations.ts'
import * as environments from './request-environments.ts'
import * as requestFolders from './request-folders.ts'
import * as requestRuns from './request-runs.ts'
import * as requestSequences from './request-sequences.ts'
import * as requestTransfer from './request-transfer.ts'
import * as resultHistory from './result-history.ts'
import * as resultSummary from './result-summary.ts'
import * as results from './results.ts'
import * as scanSchedules from './scan-schedules.ts'
import * as scans from './scans.ts'
import * as scopeRules from './scope-rules.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as targets from './targets.ts'
import * as taskComments from './task-comments.ts'
import * as taskFiles from './task-files.ts'
import * as tasks from './tasks.ts'
import * as views from './views.ts'
import * as wikiContent from './wiki-content.ts'
import * as wikiHistory from './wiki-history.ts'
import * as wiki from './wiki.ts'

const modules = [
  organizations,
  members,
  memberSecurity,
  domains,
  engagements,
  engagementDetails,
  engagementSummaries,
  engagementActivity,
  engagementOverview,
  scopeRules,
  targets,
  files,
  apiRequests,
  requestFolders,
  environments,
  requestRuns,
  requestSequences,
  requestTransfer,
  events,
  tasks,
  wiki,
  wikiHistory,
  wikiContent,
  search,
  taskComments,
  taskFiles,
  methodologies,
  coverage,
  notices,
  results,
  resultSummary,
  resultHistory,
  imports,
  scans,
  scanSchedules,
  operations,
  views,
  invitations,
  apiKeys,
  audit,
  sessions,
  identities,
  account,
  billing,
  codeHosting,
  instance,
] as const

/** What the client takes its types from. */
export type Modules = (typeof modules)[number]

/** Every endpoint there is, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = modules.flatMap((module) => Object.values<unknown>(module).filter(isEndpoint))
