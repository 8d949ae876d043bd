import Type from 'typebox'
import { closedObject, endpoint, Id, Line, list, OneOf, one, Timestamp } from '../../core/endpoint.ts'
import { SCOPE_NAMES } from '../../core/scopes.ts'
import { KeyScopes, WantedEngagementIds } from '../api-keys.ts'

/** Of a terminal that waits for a key (RFC 8628). `waiting`: approved, and an owner or admin has to confirm it. */
export const DEVICE_STATES = ['pending', 'waiting', 'approved', 'denied'] as const

const UserCode = closedObject({
  userCode: Type.String({
    minLength: 8,
    maxLength: 20,
    pattern: '^[A-Za-z -]+$',
    description: 'as the terminal shows it; case, spaces and hyphens do not matter',
    examples: ['WDJB-MJHT'],
  }),
})

const deviceFields = {
  id: Id('dva'),
  client: Type.String({ description: 'the name that the program gives itself, which no one has checked' }),
  device: Type.String({ description: 'a hint from the user agent, such as `a program on Linux`' }),
  address: Type.String({ description: 'the network address that asked for the code' }),
  createdAt: Timestamp(),
  expiresAt: Timestamp('the code does not work after this'),
}

const WantedScopes = Type.Array(OneOf(SCOPE_NAMES))

export const DeviceAuthorization = closedObject({
  ...deviceFields,
  scopes: WantedScopes,
  state: OneOf(DEVICE_STATES),
})

export const DeviceConfirmation = closedObject({
  ...deviceFields,
  kind: OneOf(['login', 'agent'], { description: 'of the key: of a terminal, or of an AI client' }),
  scopes: WantedScopes,
  engagementIds: Type.Unsafe<'all' | 'open' | string[]>({
    anyOf: [
      { type: 'string', enum: ['all', 'open'] },
      { type: 'array', items: Id('eng') },
    ],
    description: '`all`: what the person sees; `open`: what the whole organization sees; otherwise only these',
  }),
  keyName: Type.String(),
  keyExpiresAt: Timestamp(),
  approvedBy: closedObject({ id: Id('usr'), name: Type.String() }),
})

export const getDeviceAuthorization = endpoint({
  id: 'getDeviceAuthorization',
  method: 'GET',
  path: '/device-authorizations/:userCode',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read which program waits for the code of a terminal.',
  params: UserCode,
  reply: one(DeviceAuthorization),
})

export const approveDeviceAuthorization = endpoint({
  id: 'approveDeviceAuthorization',
  method: 'POST',
  path: '/device-authorizations/:userCode/approve',
  scope: 'any',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Give the terminal a key that acts within the rights of the caller.',
  description:
    'Only owner and admins make keys: the approval of anyone else waits until one of them confirms it. The key never has more rights than the person has at that moment, and ends with the membership.',
  params: UserCode,
  body: closedObject({
    name: Line(100, { examples: ['laptop'] }),
    scopes: KeyScopes,
    engagementIds: Type.Optional(WantedEngagementIds),
    expiresAt: Timestamp('at most 366 days from now'),
  }),
  reply: one(closedObject({ id: Id('dva'), state: OneOf(DEVICE_STATES) })),
  conflicts: ['This code was answered already.'],
})

export const denyDeviceAuthorization = endpoint({
  id: 'denyDeviceAuthorization',
  method: 'POST',
  path: '/device-authorizations/:userCode/deny',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Refuse the terminal.',
  params: UserCode,
  reply: one(closedObject({ id: Id('dva'), state: OneOf(DEVICE_STATES) })),
  conflicts: ['This code was answered already.'],
})

export const listDeviceConfirmations = endpoint({
  id: 'listDeviceConfirmations',
  method: 'GET',
  path: '/device-confirmations',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the approvals of members that wait for an owner or admin.',
  reply: list(DeviceConfirmation),
})

const Authorization = closedObject({ authorizationId: Id('dva') })

export const confirmDeviceAuthorization = endpoint({
  id: 'confirmDeviceAuthorization',
  method: 'POST',
  path: '/device-confirmations/:authorizationId/confirm',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Confirm the approval of a member: the terminal or client gets its key.',
  params: Authorization,
  reply: one(closedObject({ id: Id('dva'), state: OneOf(DEVICE_STATES) })),
})

export const refuseDeviceAuthorization = endpoint({
  id: 'refuseDeviceAuthorization',
  method: 'POST',
  path: '/device-confirmations/:authorizationId/refuse',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Refuse the approval of a member: the terminal or client gets no key.',
  params: Authorization,
  reply: one(closedObject({ id: Id('dva'), state: OneOf(DEVICE_STATES) })),
})
