import * as account from '../account/account.ts'
import * as identities from '../account/linked-accounts.ts'
import * as notices from '../account/notifications.ts'
import * as sessions from '../account/sessions.ts'
import * as engagementActivity from '../engagement/engagement-activity.ts'
import * as engagementDetails from '../engagement/engagement-details.ts'
import * as engagementOverview from '../engagement/engagement-overview.ts'
import * as engagementSummaries from '../engagement/engagement-summaries.ts'
import * as engagements from '../engagement/engagements.ts'
import * as scopeRules from '../engagement/scope-rules.ts'
import * as imports from '../inventory/imports.ts'
import * as operations from '../inventory/operation-log.ts'
import * as resultHistory from '../inventory/result-history.ts'
import * as resultSummary from '../inventory/result-summary.ts'
import * as results from '../inventory/results.ts'
import * as scanSchedules from '../inventory/scan-schedules.ts'
import * as scans from '../inventory/scans.ts'
import * as targets from '../inventory/targets.ts'
import * as apiKeys from '../organization/api-keys.ts'
import * as audit from '../organization/audit.ts'
import * as billing from '../organization/billing.ts'
import * as codeHosting from '../organization/code-hosting.ts'
import * as domains from '../organization/domains.ts'
import * as instance from '../organization/instance.ts'
import * as invitations from '../organization/invitations.ts'
import * as memberSecurity from '../organization/member-security.ts'
import * as members from '../organization/members.ts'
import * as organizations from '../organization/organizations.ts'
import * as apiRequests from '../requests/api-requests.ts'
import * as environments from '../requests/request-environments.ts'
import * as requestFolders from '../requests/request-folders.ts'
import * as requestRuns from '../requests/request-runs.ts'
import * as requestSequences from '../requests/request-sequences.ts'
import * as requestTransfer from '../requests/request-transfer.ts'
import * as coverage from '../tasks/coverage.ts'
import * as methodologies from '../tasks/methodologies.ts'
import * as taskComments from '../tasks/task-comments.ts'
import * as taskFiles from '../tasks/task-files.ts'
import * as tasks from '../tasks/tasks.ts'
import * as wikiContent from '../wiki/wiki-content.ts'
import * as wikiHistory from '../wiki/wiki-history.ts'
import * as wiki from '../wiki/wiki.ts'
import { type Endpoint, isEndpoint } from './endpoint.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as search from './search.ts'
import * as views from './views.ts'

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

/** The source of the client's types. */
export type Modules = (typeof modules)[number]

/** Every endpoint, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = modules.flatMap((module) =>
  Object.values<unknown>(module).filter(isEndpoint),
)
