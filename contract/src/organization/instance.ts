import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  Email,
  endpoint,
  Id,
  Line,
  list,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  PageQuery,
  page,
  Timestamp,
} from '../core/endpoint.ts'
import { IN_SAFE_MODE } from '../core/errors.ts'
import { ROLES } from '../core/scopes.ts'
import { MAIL_STATUSES } from './invitations.ts'
import { OrganizationName } from './organizations.ts'

const Search = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'part of a name or address, ignoring case' }),
)

export const COMPONENTS = ['database', 'storage', 'mail', 'jobs', 'redis', 'backup'] as const
export const COMPONENT_STATUSES = ['ok', 'degraded', 'unavailable', 'off'] as const

export const Instance = closedObject({
  version: Type.String({ examples: ['0.1.0'] }),
  commit: NullableString('that the server was built from; null if the build does not say'),
  schemaVersion: Type.Integer({ minimum: 0 }),
  postgresVersion: Type.String({ examples: ['18.4'] }),
  nodeVersion: Type.String({ examples: ['24.21.0'] }),
  embeddedDatabase: Type.Boolean(),
  startedAt: Timestamp('of the process that answers'),
  uptimeSeconds: Type.Integer({ minimum: 0 }),
  frontendUrl: Type.String(),
  organizationCount: Type.Integer({ minimum: 0 }),
  accountCount: Type.Integer({ minimum: 0 }),
  components: Type.Array(
    closedObject({
      name: OneOf(COMPONENTS),
      status: OneOf(COMPONENT_STATUSES, { description: '`off`: not configured' }),
      message: Type.String({ description: 'one sentence for the operator' }),
    }),
  ),
})

export const getInstance = endpoint({
  id: 'getInstance',
  method: 'GET',
  path: '/instance',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Versions and health of this installation.',
  reply: one(Instance),
})

export const SafeMode = closedObject({
  isOn: Type.Boolean(),
  isForced: Type.Boolean({ description: '`SAFE_MODE=true` is set: going live does not end it' }),
  reason: NullableString('why it is on, as a sentence'),
  since: NullableTimestamp('when it began'),
  pending: closedObject({
    newMails: Type.Integer({ minimum: 0, description: 'written since it began: going live sends them' }),
    oldMails: Type.Integer({
      minimum: 0,
      description: 'queued before it began: going live holds them, unless `sendWaitingMail` is set',
    }),
    schedules: Type.Integer({ minimum: 0, description: 'enabled scan schedules: they resume with going live' }),
    scans: Type.Integer({ minimum: 0, description: 'scans from before safe mode: they end without running' }),
  }),
})

export const getSafeMode = endpoint({
  id: 'getSafeMode',
  method: 'GET',
  path: '/instance/safe-mode',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read whether the instance is in safe mode, and what going live would start.',
  reply: one(SafeMode),
})

export const goLive = endpoint({
  id: 'goLive',
  method: 'POST',
  path: '/instance/go-live',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'End safe mode: from now on scans, API requests and mail leave the instance.',
  description: 'Every process notices within a second. Changes nothing where the instance is live.',
  body: closedObject({
    sendWaitingMail: Type.Optional(Type.Boolean({ description: 'also mails that waited before safe mode began' })),
  }),
  reply: one(closedObject({ heldMails: Type.Integer({ minimum: 0 }), releasedMails: Type.Integer({ minimum: 0 }) })),
  conflicts: [
    'SAFE_MODE=true keeps this instance in safe mode: remove it from the settings, and restart every process.',
    'Another server used the same STORAGE_PATH at 2026-11-26T09:30:00.000Z. Stop it and try again 2 minutes later, or give this one a copy of the files.',
  ],
})

const person = { id: Id('usr'), name: Type.String(), email: Type.String() }

const organizationFields = {
  id: Id('org'),
  name: OrganizationName,
  slug: Type.String(),
  plan: Type.String(),
  memberCount: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp(),
}

export const InstanceOrganization = closedObject({
  ...organizationFields,
  owner: Nullable(person, 'null only while there is none'),
  storedBytes: Type.Integer({ minimum: 0, description: 'files and large texts' }),
  removedAt: NullableTimestamp('when its removal began; a job removes it with everything in it'),
})

export const listInstanceOrganizations = endpoint({
  id: 'listInstanceOrganizations',
  method: 'GET',
  path: '/instance/organizations',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the organizations of this installation by name; only members can see their content.',
  query: closedObject({ search: Search, ...PageQuery }),
  cost: { perHour: 1_200, atOnce: 3, onlyWith: 'search' },
  reply: page(InstanceOrganization),
})

export const createOrganization = endpoint({
  id: 'createOrganization',
  method: 'POST',
  path: '/instance/organizations',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Create an organization with its owner.',
  description:
    'An address with an account becomes the owner and is notified by email. For any other address an account is created, and an emailed link (7 days; a password-reset email replaces it later) lets the owner choose name and password.',
  body: closedObject({ name: OrganizationName, ownerEmail: Email, ownerName: Type.Optional(Line(200)) }),
  reply: one(
    closedObject({
      organization: closedObject({ ...organizationFields, owner: closedObject(person) }),
      ownerIsNew: Type.Boolean(),
    }),
  ),
  status: 201,
})

export const InstanceAccount = closedObject({
  ...person,
  isInstanceAdmin: Type.Boolean(),
  secondFactorEnabled: Type.Boolean(),
  hasPassword: Type.Boolean({ description: 'false until the first password was chosen' }),
  organizationCount: Type.Integer({ minimum: 0 }),
  organizations: Type.Array(closedObject({ id: Id('org'), name: Type.String(), role: OneOf(ROLES) }), {
    maxItems: 10,
    description: 'the first ten that it joined, by name',
  }),
  disabledAt: NullableTimestamp('from then on, its sign-ins and the keys within its rights are refused'),
  createdAt: Timestamp(),
  lastSeenAt: NullableTimestamp('latest known use of the web interface; null for none'),
})

export const listAccounts = endpoint({
  id: 'listAccounts',
  method: 'GET',
  path: '/instance/accounts',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the accounts of this installation by name.',
  query: closedObject({
    search: Search,
    isInstanceAdmin: Type.Optional(OneOf(['true', 'false'])),
    isDisabled: Type.Optional(OneOf(['true', 'false'])),
    ...PageQuery,
  }),
  cost: { perHour: 1_200, atOnce: 3, onlyWith: 'search' },
  reply: page(InstanceAccount),
})

export const setInstanceAdmin = endpoint({
  id: 'setInstanceAdmin',
  method: 'PATCH',
  path: '/instance/accounts/:userId',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Make an account an instance administrator, or remove that role.',
  description: 'The last one cannot be removed: 409.',
  params: closedObject({ userId: Id('usr') }),
  body: closedObject({ isInstanceAdmin: Type.Boolean() }),
  reply: one(closedObject({ id: Id('usr'), isInstanceAdmin: Type.Boolean() })),
})

export const JobQueue = closedObject({
  name: Type.String({ examples: ['deliver-mail'] }),
  waiting: Type.Integer({ minimum: 0, description: 'due now' }),
  delayed: Type.Integer({ minimum: 0, description: 'due later, tried before or not' }),
  active: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0, description: 'given up and still kept' }),
  completed: Type.Integer({ minimum: 0, description: 'done and still kept' }),
  oldestWaitingAt: NullableTimestamp('when the oldest waiting job was due'),
})

export const listJobQueues = endpoint({
  id: 'listJobQueues',
  method: 'GET',
  path: '/instance/jobs',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read the job queues.',
  reply: list(JobQueue),
})

export const Mail = closedObject({
  id: Id('mal'),
  kind: Type.String({ examples: ['invitation'] }),
  recipient: Type.String(),
  organization: Nullable({ id: Id('org'), name: Type.String() }, 'null for mails about an account'),
  status: OneOf(MAIL_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
  lastError: NullableString('why the last attempt failed'),
  createdAt: Timestamp(),
  sentAt: NullableTimestamp('when the mail server took it'),
})

export const listMails = endpoint({
  id: 'listMails',
  method: 'GET',
  path: '/instance/mails',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the outbox, newest first; contents are not kept.',
  query: closedObject({ status: Type.Optional(OneOf(MAIL_STATUSES)), ...CursorQuery }),
  reply: cursorPage(Mail),
})

export const retryMail = endpoint({
  id: 'retryMail',
  method: 'POST',
  path: '/instance/mails/:mailId/retry',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Queue a failed mail again.',
  description: 'Any other state, and in safe mode: 409.',
  params: closedObject({ mailId: Id('mal') }),
  reply: one(Mail),
  conflicts: ['This email is sent: only a failed one can be sent again.', IN_SAFE_MODE],
})
