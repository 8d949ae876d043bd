/**
 * The permission scopes that an API key can carry, with what each grants: the ten of the specification (section 5), and
 * two of this project for findings and reports (open point 40).
 */
export const SCOPES = {
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
} as const

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

/** The operator's choice of scope for engagement endpoints: the specification does not define it (open point 2). */
export type EngagementScopeSetting = 'ENGAGEMENT_READ_SCOPE' | 'ENGAGEMENT_WRITE_SCOPE'

/**
 * The permission that a caller needs before a handler runs.
 *
 * - a scope: a key must carry it; in the session door the member's role must grant it
 * - `setting:*`: the scope that the operator chose; if that is `*`, any valid key
 * - `member-or-key:*`: for a key the scope that the operator chose; for a user a membership, and the handler checks further
 * - `admin-or-key:*`: for a key the scope that the operator chose; for a user the role of an admin
 * - `any`: every valid key, every member of the organization
 * - `role:admin`, `role:owner`: session door only; `role:admin` includes the owner
 * - `session`: a signed-in user, without an organization
 * - `instance-admin`: a signed-in instance administrator, without an organization
 * - `public`: everyone
 */
export type Guard =
  | Scope
  | `${'setting' | 'member-or-key' | 'admin-or-key'}:${EngagementScopeSetting}`
  | 'any'
  | 'role:admin'
  | 'role:owner'
  | 'session'
  | 'instance-admin'
  | 'public'

/** Most powerful first. */
export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/**
 * The object type of an endpoint. It decides what a key that is limited to engagements may call (finding T7).
 *
 * - `engagement`: engagements and their contents; row-level security shows a limited key only its own
 * - `organization`: the organization as a whole; limited keys get 403 at the door
 * - `either`: objects that belong to an engagement or to the organization, or that contain nothing confidential; row-level
 *   security and the service decide for each object
 * - `instance`: accounts and the server itself, outside of any organization; never opened by a key
 */
export type About = 'engagement' | 'organization' | 'either' | 'instance'

const MEMBER_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((scope) => scope !== 'organizations:write')

/** The scopes that a user's role grants in the session door. */
export const scopesOfRole = (role: Role): readonly Scope[] => (role === 'member' ? MEMBER_SCOPES : SCOPE_NAMES)
