import * as account from '../account/account.ts'
import * as home from '../account/home.ts'
import * as identities from '../account/linked-accounts.ts'
import * as notices from '../account/notifications.ts'
import * as sessions from '../account/sessions.ts'
import * as clients from '../clients/clients.ts'
import * as fieldDefinitions from '../custom-fields/field-definitions.ts'
import * as engagementActivity from '../engagement/engagement-activity.ts'
import * as engagementDetails from '../engagement/engagement-details.ts'
import * as engagementOverview from '../engagement/engagement-overview.ts'
import * as engagementSummaries from '../engagement/engagement-summaries.ts'
import * as engagementTrash from '../engagement/engagement-trash.ts'
import * as engagements from '../engagement/engagements.ts'
import * as scopeBulk from '../engagement/scope-bulk.ts'
import * as scopeRules from '../engagement/scope-rules.ts'
import * as affected from '../findings/affected.ts'
import * as findingUndo from '../findings/bulk/finding-undo.ts'
import * as findingComments from '../findings/comments.ts'
import * as findingHistory from '../findings/finding-history.ts'
import * as findingViewers from '../findings/finding-viewers.ts'
import * as findings from '../findings/findings.ts'
import * as libraryTransfer from '../findings/library-transfer.ts'
import * as library from '../findings/library.ts'
import * as reportSettings from '../findings/report-settings.ts'
import * as retests from '../findings/retests.ts'
import * as findingSuggestions from '../findings/suggestions.ts'
import * as administration from '../instance/administration.ts'
import * as doctor from '../instance/doctor.ts'
import * as imports from '../inventory/imports.ts'
import * as operations from '../inventory/operation-log.ts'
import * as resultBulk from '../inventory/result-bulk.ts'
import * as resultHistory from '../inventory/result-history.ts'
import * as resultSummary from '../inventory/result-summary.ts'
import * as results from '../inventory/results.ts'
import * as scanSchedules from '../inventory/scan-schedules.ts'
import * as scans from '../inventory/scans.ts'
import * as targetBulk from '../inventory/target-bulk.ts'
import * as targetOverview from '../inventory/target-overview.ts'
import * as targets from '../inventory/targets.ts'
import * as apiKeys from '../organization/api-keys.ts'
import * as audit from '../organization/audit.ts'
import * as billing from '../organization/billing.ts'
import * as codeHosting from '../organization/code-hosting.ts'
import * as domains from '../organization/domains.ts'
import * as agents from '../organization/identities/agents.ts'
import * as deviceLogins from '../organization/identities/device-logins.ts'
import * as oauthAuthorizations from '../organization/identities/oauth-authorizations.ts'
import * as instance from '../organization/instance.ts'
import * as invitations from '../organization/invitations.ts'
import * as memberSecurity from '../organization/member-security.ts'
import * as members from '../organization/members.ts'
import * as organizations from '../organization/organizations.ts'
import * as webhookEndpoints from '../organization/webhook-endpoints.ts'
import * as reportComments from '../reports/report-comments.ts'
import * as reportReading from '../reports/report-reading.ts'
import * as reportRenders from '../reports/report-renders.ts'
import * as reportTemplates from '../reports/report-templates.ts'
import * as reports from '../reports/reports.ts'
import * as signingCertificate from '../reports/signing-certificate.ts'
import * as apiRequests from '../requests/api-requests.ts'
import * as environments from '../requests/request-environments.ts'
import * as requestFolders from '../requests/request-folders.ts'
import * as requestRuns from '../requests/request-runs.ts'
import * as requestSequences from '../requests/request-sequences.ts'
import * as requestTransfer from '../requests/request-transfer.ts'
import * as comments from '../tasks/comments.ts'
import * as coverage from '../tasks/coverage.ts'
import * as methodologies from '../tasks/methodologies.ts'
import * as taskBulk from '../tasks/task-bulk.ts'
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
  deviceLogins,
  oauthAuthorizations,
  domains,
  clients,
  fieldDefinitions,
  engagements,
  engagementDetails,
  engagementTrash,
  engagementSummaries,
  engagementActivity,
  engagementOverview,
  scopeRules,
  scopeBulk,
  targets,
  targetBulk,
  targetOverview,
  files,
  apiRequests,
  requestFolders,
  environments,
  requestRuns,
  requestSequences,
  requestTransfer,
  events,
  tasks,
  taskBulk,
  wiki,
  wikiHistory,
  wikiContent,
  search,
  home,
  taskComments,
  comments,
  taskFiles,
  methodologies,
  coverage,
  notices,
  results,
  resultBulk,
  resultSummary,
  resultHistory,
  findings,
  findingUndo,
  findingViewers,
  findingHistory,
  affected,
  findingComments,
  findingSuggestions,
  libraryTransfer,
  retests,
  library,
  reportSettings,
  reports,
  reportComments,
  reportReading,
  reportRenders,
  reportTemplates,
  signingCertificate,
  imports,
  scans,
  scanSchedules,
  operations,
  views,
  invitations,
  agents,
  apiKeys,
  webhookEndpoints,
  audit,
  sessions,
  identities,
  account,
  billing,
  codeHosting,
  administration,
  doctor,
  instance,
] as const

/** The source of the client's types. */
export type Modules = (typeof modules)[number]

/** Every endpoint, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = modules.flatMap((module) =>
  Object.values<unknown>(module).filter(isEndpoint),
)
