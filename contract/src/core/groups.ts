import type { TSchema } from 'typebox'
import * as clients from '../clients/clients.ts'
import * as fieldDefinitions from '../custom-fields/field-definitions.ts'
import * as activity from '../engagement/engagement-activity.ts'
import * as details from '../engagement/engagement-details.ts'
import * as overview from '../engagement/engagement-overview.ts'
import * as engagementTrash from '../engagement/engagement-trash.ts'
import * as engagements from '../engagement/engagements.ts'
import * as scopeBulk from '../engagement/scope-bulk.ts'
import * as scopeRules from '../engagement/scope-rules.ts'
import * as affected from '../findings/affected.ts'
import * as findingUndo from '../findings/bulk/finding-undo.ts'
import * as findingComments from '../findings/comments.ts'
import * as findingFields from '../findings/finding-fields.ts'
import * as findingHistory from '../findings/finding-history.ts'
import * as findings from '../findings/findings.ts'
import * as libraryFields from '../findings/library-fields.ts'
import * as libraryTransfer from '../findings/library-transfer.ts'
import * as library from '../findings/library.ts'
import * as reportSettings from '../findings/report-settings.ts'
import * as retests from '../findings/retests.ts'
import * as findingSuggestions from '../findings/suggestions.ts'
import * as imports from '../inventory/imports.ts'
import * as operations from '../inventory/operation-log.ts'
import * as resultBulk from '../inventory/result-bulk.ts'
import * as resultHistory from '../inventory/result-history.ts'
import * as resultSummary from '../inventory/result-summary.ts'
import * as results from '../inventory/results.ts'
import * as scanSchedules from '../inventory/scan-schedules.ts'
import * as scans from '../inventory/scans.ts'
import * as targetBulk from '../inventory/target-bulk.ts'
import * as targets from '../inventory/targets.ts'
import * as apiKeys from '../organization/api-keys.ts'
import * as audit from '../organization/audit.ts'
import * as invitations from '../organization/invitations.ts'
import * as members from '../organization/members.ts'
import * as organizations from '../organization/organizations.ts'
import * as webhookEndpoints from '../organization/webhook-endpoints.ts'
import * as reportComments from '../reports/report-comments.ts'
import * as reportData from '../reports/report-data.ts'
import * as reportFields from '../reports/report-fields.ts'
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
import { CountedMeta, CursorMeta, type Endpoint, isEndpoint, type Method, PageMeta } from './endpoint.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as search from './search.ts'

/** A chapter of the reference: endpoints that an API key opens. */
export interface Group {
  name: string
  description: string
  endpoints: readonly Endpoint[]
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Sorted by path, because the exports of a module have no order. */
const openedByKeys = (...modules: readonly object[]): readonly Endpoint[] =>
  modules
    .flatMap((module) => Object.values(module).filter(isEndpoint))
    .filter(({ doors }) => doors.includes('key'))
    .toSorted((a, b) =>
      a.path === b.path ? METHODS.indexOf(a.method) - METHODS.indexOf(b.method) : a.path < b.path ? -1 : 1,
    )

/** The chapters in the order of the documentation. A test checks that every endpoint of the key door is in one. */
export const GROUPS: readonly Group[] = [
  {
    name: 'Organization',
    description: 'The organization that the API key belongs to, and the key itself.',
    endpoints: openedByKeys(organizations, apiKeys),
  },
  {
    name: 'Members',
    description: 'The members of the organization, and its invitations.',
    endpoints: openedByKeys(members),
  },
  {
    name: 'Audit log',
    description: 'Who changed what in the organization, for programs that keep a copy.',
    endpoints: openedByKeys(audit),
  },
  {
    name: 'Clients',
    description: 'The clients that the organization works for.',
    endpoints: openedByKeys(clients),
  },
  {
    name: 'Custom fields',
    description:
      'Fields that the organization adds to clients, engagements, targets, findings, tasks and library entries.',
    endpoints: openedByKeys(fieldDefinitions),
  },
  {
    name: 'Engagements',
    description: 'The projects that the organization does for its clients.',
    endpoints: openedByKeys(engagements, details, engagementTrash, activity, overview),
  },
  {
    name: 'Scope',
    description: 'The rules that say which targets of an engagement may be touched.',
    endpoints: openedByKeys(scopeRules, scopeBulk),
  },
  {
    name: 'Targets',
    description:
      'The systems that an engagement tests: names, addresses, networks, URLs, services, and others that only people can name.',
    endpoints: openedByKeys(targets, targetBulk),
  },
  {
    name: 'Files',
    description: 'Files of an engagement: captures, screenshots, output of tools.',
    endpoints: openedByKeys(files),
  },
  {
    name: 'Tasks',
    description: 'Work to do in an engagement, with assignee, due date and comments.',
    endpoints: openedByKeys(tasks, taskComments, comments, taskFiles, taskBulk),
  },
  {
    name: 'Methodologies',
    description: 'Checklists that are expanded to a task for each target, and their coverage.',
    endpoints: openedByKeys(methodologies, coverage),
  },
  {
    name: 'Results',
    description: "The inventory of a client's systems: one for each engagement, filled by imports, scans and people.",
    endpoints: openedByKeys(results, resultBulk, resultSummary, resultHistory),
  },
  {
    name: 'Findings',
    description:
      'What is reported to the client: root causes with their texts, affected assets, review and remediation.',
    endpoints: openedByKeys(
      findings,
      findingUndo,
      findingHistory,
      affected,
      findingComments,
      findingSuggestions,
      reportSettings,
    ),
  },
  {
    name: 'Library',
    description: 'Reusable texts of findings, with versions and translations.',
    endpoints: openedByKeys(library, libraryTransfer),
  },
  {
    name: 'Retests',
    description: 'Lists of affected assets to test again, with their outcomes.',
    endpoints: openedByKeys(retests),
  },
  {
    name: 'Reports',
    description: 'What the client receives: sections, checks, renders, and editions that never change.',
    endpoints: openedByKeys(reports, reportComments, reportReading, reportRenders, reportTemplates, signingCertificate),
  },
  {
    name: 'Imports',
    description: 'Scanner files and their results.',
    endpoints: openedByKeys(imports),
  },
  {
    name: 'Scans',
    description: 'Scans that the server runs, immediately or on a schedule, within scope and testing hours.',
    endpoints: openedByKeys(scans, scanSchedules),
  },
  {
    name: 'Operation log',
    description: 'Traffic to client systems: time, source, destination and user.',
    endpoints: openedByKeys(operations),
  },
  {
    name: 'API requests',
    description:
      'Requests that the team saves in folders and executes from the server, with environments and a history.',
    endpoints: openedByKeys(apiRequests, requestFolders, environments, requestRuns, requestSequences, requestTransfer),
  },
  {
    name: 'Wiki',
    description: 'Markdown pages of engagements and of the organization, with history, links and files.',
    endpoints: openedByKeys(wiki, wikiHistory, wikiContent),
  },
  {
    name: 'Outgoing webhooks',
    description: 'Endpoints of other systems that receive events, and the deliveries to them.',
    endpoints: openedByKeys(webhookEndpoints),
  },
  {
    name: 'Events',
    description: 'Changes as they happen, without their content.',
    endpoints: openedByKeys(events),
  },
  {
    name: 'Full-text search',
    description: 'One search across everything that the caller may read.',
    endpoints: openedByKeys(search),
  },
]

const isObjectSchema = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && 'properties' in value && 'type' in value && value.type === 'object'

/** Objects that have a name in the document, under the names by which the contract exports them. */
export const NAMED_SCHEMAS: ReadonlyMap<TSchema, string> = new Map(
  [
    organizations,
    members,
    invitations,
    clients,
    fieldDefinitions,
    engagements,
    details,
    activity,
    overview,
    scopeRules,
    scopeBulk,
    targets,
    targetBulk,
    files,
    tasks,
    comments,
    taskComments,
    taskBulk,
    methodologies,
    coverage,
    results,
    resultBulk,
    resultSummary,
    resultHistory,
    findingFields,
    libraryFields,
    retests,
    findings,
    findingHistory,
    affected,
    findingSuggestions,
    reportSettings,
    reportData,
    reportFields,
    reports,
    reportReading,
    reportRenders,
    reportTemplates,
    imports,
    scans,
    scanSchedules,
    operations,
    apiRequests,
    requestFolders,
    environments,
    requestRuns,
    requestSequences,
    requestTransfer,
    wiki,
    wikiHistory,
    wikiContent,
    webhookEndpoints,
    search,
    { PageMeta, CursorMeta, CountedMeta },
  ].flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (isObjectSchema(value) ? [[value, name] as const] : [])),
  ),
)
