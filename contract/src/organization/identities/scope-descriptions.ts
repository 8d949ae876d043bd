import type { Scope } from '../../core/scopes.ts'

/** What each scope grants. Apart from the names, which the first page of the web interface loads. */
export const SCOPES: Readonly<Record<Scope, string>> = {
  'targets:read': 'read recon targets and scan results',
  'targets:write': 'add and update targets, trigger scans',
  'tasks:read': 'read tasks',
  'tasks:write': 'create, update and close tasks',
  'wiki:read': 'read wiki pages',
  'wiki:write': 'create and edit wiki pages',
  'organizations:read': 'read organization details and the member list',
  'organizations:write': 'update organization settings, invite members, change roles, remove members',
  'api-requests:read': 'read saved API requests',
  'api-requests:write': 'create and execute API requests',
  'reports:read': 'read findings, the library, retests and reports',
  'reports:write': 'create and change findings, library entries, retests and reports',
}
