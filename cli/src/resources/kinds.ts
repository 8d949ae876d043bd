/** Objects of the API as commands: `sortie findings list`. */
export interface ResourceKind {
  /** Name of the command. */
  name: string
  summary: string
  /** The call of each action, by the name of its operation. */
  calls: Readonly<Partial<Record<Action, string>>>
  /** Fields of the table for people, in their order. */
  columns: readonly string[]
}

export const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    name: 'engagements',
    summary: 'Engagements that the key sees.',
    calls: { list: 'listEngagements', get: 'getEngagement', create: 'createEngagement', update: 'updateEngagement' },
    columns: ['id', 'status', 'name'],
  },
  {
    name: 'targets',
    summary: 'Targets of the engagement.',
    calls: {
      list: 'listTargets',
      get: 'getTarget',
      create: 'createTarget',
      update: 'updateTarget',
      delete: 'deleteTarget',
    },
    columns: ['id', 'kind', 'verdict', 'value'],
  },
  {
    name: 'results',
    summary: 'Results of scans and imports.',
    calls: { list: 'listResults', get: 'getResult', create: 'createResult', update: 'updateResult' },
    columns: ['id', 'kind', 'severity', 'status', 'asset', 'title'],
  },
  {
    name: 'findings',
    summary: 'Findings that are reported to the client.',
    calls: {
      list: 'listFindings',
      get: 'getFinding',
      create: 'createFinding',
      update: 'updateFinding',
      delete: 'deleteFinding',
    },
    columns: ['id', 'shortId', 'severity', 'rating', 'state', 'title'],
  },
  {
    name: 'tasks',
    summary: 'Tasks of the engagement.',
    calls: { list: 'listTasks', get: 'getTask', create: 'createTask', update: 'updateTask', delete: 'deleteTask' },
    columns: ['id', 'shortId', 'status', 'priority', 'title'],
  },
  {
    name: 'wiki',
    summary: 'Wiki pages.',
    calls: { list: 'listWikiPages', get: 'getWikiPage', create: 'createWikiPage', update: 'updateWikiPage' },
    columns: ['id', 'title'],
  },
  {
    name: 'requests',
    summary: 'Saved API requests.',
    calls: { list: 'listApiRequests', get: 'getApiRequest', create: 'createApiRequest', update: 'updateApiRequest' },
    columns: ['id', 'method', 'name', 'url'],
  },
  {
    name: 'scans',
    summary: 'Scans that the instance runs.',
    calls: { list: 'listScans', get: 'getScan', create: 'createScan' },
    columns: ['id', 'state', 'name', 'createdAt'],
  },
  {
    name: 'imports',
    summary: 'Imported files.',
    calls: { list: 'listImports', get: 'getImport', delete: 'deleteImport' },
    columns: ['id', 'state', 'format', 'fileName', 'createdAt'],
  },
  {
    name: 'reports',
    summary: 'Reports.',
    calls: { list: 'listReports', get: 'getReport' },
    columns: ['id', 'state', 'status', 'title'],
  },
  {
    name: 'operations',
    summary: 'The operation log: what was sent, when, to where.',
    calls: { list: 'listOperations' },
    columns: ['startedAt', 'kind', 'address', 'host', 'port', 'command'],
  },
]
