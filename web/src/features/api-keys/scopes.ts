import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import { SCOPES } from '@sortie/contract/organization/identities/scope-descriptions.ts'

export interface ScopeGroup {
  title: string
  read: Scope
  write: Scope
}

/** The scopes, grouped by resource. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  { title: 'Targets and scans', read: 'targets:read', write: 'targets:write' },
  { title: 'Tasks', read: 'tasks:read', write: 'tasks:write' },
  { title: 'Wiki', read: 'wiki:read', write: 'wiki:write' },
  { title: 'Organization', read: 'organizations:read', write: 'organizations:write' },
  { title: 'API requests', read: 'api-requests:read', write: 'api-requests:write' },
  { title: 'Findings and reports', read: 'reports:read', write: 'reports:write' },
]

/** `Read recon targets and scan results` */
export const explain = (scope: Scope): string => {
  const words = SCOPES[scope]
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

export const READ_ONLY: readonly Scope[] = SCOPE_NAMES.filter((scope) => scope.endsWith(':read'))
export const EVERYTHING: readonly Scope[] = SCOPE_NAMES

/** `everything`, `read-only` or the names. */
export const summarize = (scopes: readonly Scope[]): string => {
  if (scopes.length === EVERYTHING.length) return 'everything'
  if (scopes.length === READ_ONLY.length && scopes.every((scope) => READ_ONLY.includes(scope))) return 'read-only'
  return scopes.join(', ')
}
