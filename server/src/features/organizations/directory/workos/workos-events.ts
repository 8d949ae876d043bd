import { badRequest } from '../../../../platform/errors.ts'

/** The change of one entry of the provider's directory, as an event reports it. */
export interface DirectoryChange {
  kind: 'user' | 'membership' | 'directory-user' | 'group' | 'group-member' | 'directory'
  id: string
  providerOrganizationId: string | null
  providerUserId: string | null
  /** It is deleted or inactive. */
  isRemoved: boolean
  data: { role?: 'admin' | 'member'; email?: string; directoryId?: string; name?: string }
}

export interface DirectoryEvent {
  id: string
  type: string
  eventAt: string
  /** Undefined: the event has no effect here, or its format is unknown. */
  change: DirectoryChange | undefined
}

type Fields = Record<string, unknown>

/** Every type with an effect here; the list of events is requested for these. */
export const EVENT_TYPES = [
  'user.updated',
  'user.deleted',
  'organization_membership.created',
  'organization_membership.updated',
  'organization_membership.deleted',
  'dsync.deleted',
  'dsync.user.created',
  'dsync.user.updated',
  'dsync.user.deleted',
  'dsync.group.created',
  'dsync.group.updated',
  'dsync.group.deleted',
  'dsync.group.user_added',
  'dsync.group.user_removed',
] as const

/** @throws ApiError BAD_REQUEST for a body that is not an event */
export const parseWorkosEvent = (text: string): DirectoryEvent => {
  try {
    return readWorkosEvent(JSON.parse(text))
  } catch (error) {
    throw error instanceof SyntaxError ? badRequest('The body is not JSON.') : error
  }
}

/** @throws ApiError BAD_REQUEST for a value that is not an event */
export const readWorkosEvent = (value: unknown): DirectoryEvent => {
  const event = fieldsOf(value)
  const [id, type, createdAt] = [textOf(event?.id), textOf(event?.event), textOf(event?.created_at)]
  const eventAtMs = Date.parse(createdAt ?? '')
  if (!event || !id || !type || Number.isNaN(eventAtMs))
    throw badRequest('The body is not an event: it must have an id, a type and a time.')
  const data = fieldsOf(event.data)
  return { id, type, eventAt: new Date(eventAtMs).toISOString(), change: data && changeOf(type, data) }
}

const changeOf = (type: string, data: Fields): DirectoryChange | undefined => {
  const id = textOf(data.id)
  const isGone = type.endsWith('.deleted') || type.endsWith('.user_removed')
  const providerOrganizationId = textOf(data.organization_id) ?? null
  const directoryId = textOf(data.directory_id)
  const email = textOf(data.email)
  const common = { providerOrganizationId, providerUserId: null, isRemoved: isGone }
  switch (type) {
    case 'user.updated':
    case 'user.deleted':
      return id === undefined
        ? undefined
        : {
            ...common,
            kind: 'user',
            id,
            providerOrganizationId: null,
            providerUserId: id,
            data: email === undefined ? {} : { email },
          }
    case 'organization_membership.created':
    case 'organization_membership.updated':
    case 'organization_membership.deleted': {
      const userId = textOf(data.user_id)
      if (userId === undefined || providerOrganizationId === null) return undefined
      const role = textOf(fieldsOf(data.role)?.slug) === 'admin' ? 'admin' : 'member'
      const isRemoved = isGone || data.status !== 'active'
      return {
        ...common,
        kind: 'membership',
        id: `${providerOrganizationId}/${userId}`,
        providerUserId: userId,
        isRemoved,
        data: { role },
      }
    }
    case 'dsync.deleted':
      return id === undefined ? undefined : { ...common, kind: 'directory', id, data: {} }
    case 'dsync.user.created':
    case 'dsync.user.updated':
    case 'dsync.user.deleted': {
      if (id === undefined || directoryId === undefined) return undefined
      const isRemoved = isGone || data.state !== 'active'
      return {
        ...common,
        kind: 'directory-user',
        id,
        isRemoved,
        data: { directoryId, ...(email !== undefined && { email }) },
      }
    }
    case 'dsync.group.created':
    case 'dsync.group.updated':
    case 'dsync.group.deleted': {
      if (id === undefined || directoryId === undefined) return undefined
      return { ...common, kind: 'group', id, data: { directoryId, name: textOf(data.name) ?? '' } }
    }
    case 'dsync.group.user_added':
    case 'dsync.group.user_removed': {
      const [user, group] = [fieldsOf(data.user), fieldsOf(data.group)]
      const [userId, groupId] = [textOf(user?.id), textOf(group?.id)]
      if (userId === undefined || groupId === undefined || directoryId === undefined) return undefined
      const ofGroup = textOf(group?.organization_id) ?? null
      return {
        ...common,
        kind: 'group-member',
        id: `${groupId}/${userId}`,
        providerOrganizationId: ofGroup,
        data: { directoryId },
      }
    }
    default:
      return undefined
  }
}

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined

const MAX_LENGTH = 320

/** Ids and addresses, unchanged; longer values are dropped. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= MAX_LENGTH &&
  !value.includes('\u0000') &&
  value.isWellFormed()
    ? value
    : undefined
