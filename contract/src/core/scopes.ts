const NAMES = [
  'targets:read',
  'targets:write',
  'tasks:read',
  'tasks:write',
  'wiki:read',
  'wiki:write',
  'organizations:read',
  'organizations:write',
  'api-requests:read',
  'api-requests:write',
  'reports:read',
  'reports:write',
] as const

/**
 * A permission that an API key can carry: the ten of the specification (section 5), and two of this project for findings
 * and reports (open point 40).
 */
export type Scope = (typeof NAMES)[number]

export const SCOPE_NAMES: Scope[] = [...NAMES]

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
