/** Events of WorkOS, with every field that its API description requires. */
export interface WorkosEvent {
  object: 'event'
  id: string
  event: string
  created_at: string
  data: Record<string, unknown>
}

let count = 0

/** A unique id in the format of WorkOS. */
export const nextId = (prefix: string): string => `${prefix}_01HXYZ${process.pid}X${++count}`

let eventTimeMs = Date.now() - 3_600_000

/** Later than all previous events, unless a time is given. */
const event = (type: string, data: Record<string, unknown>): WorkosEvent => {
  eventTimeMs += 1_000
  const time = new Date(eventTimeMs).toISOString()
  return {
    object: 'event',
    id: nextId('event'),
    event: type,
    created_at: time,
    data: { created_at: time, updated_at: time, ...data },
  }
}

type Kind = 'created' | 'updated' | 'deleted'

interface OfOrganization {
  providerId: string
}

export const membership = (
  kind: Kind,
  { providerId }: OfOrganization,
  userId: string,
  role = 'member',
  status = 'active',
): WorkosEvent =>
  event(`organization_membership.${kind}`, {
    object: 'organization_membership',
    id: nextId('om'),
    organization_id: providerId,
    user_id: userId,
    role: { slug: role },
    status,
    custom_attributes: {},
    directory_managed: true,
  })

const directoryUserOf = (
  { providerId }: OfOrganization,
  id: string,
  email: string,
  directory: string,
  state = 'active',
) => ({
  object: 'directory_user',
  id,
  directory_id: directory,
  organization_id: providerId,
  idp_id: id,
  email,
  state,
  raw_attributes: {},
  custom_attributes: {},
})

export const directoryUser = (
  kind: Kind,
  organization: OfOrganization,
  id: string,
  email: string,
  directory: string,
  state = 'active',
): WorkosEvent => event(`dsync.user.${kind}`, directoryUserOf(organization, id, email, directory, state))

export const groupMember = (
  kind: 'added' | 'removed',
  organization: OfOrganization,
  userId: string,
  email: string,
  directory: string,
): WorkosEvent => {
  const time = new Date(eventTimeMs).toISOString()
  const times = { created_at: time, updated_at: time }
  const group = {
    object: 'directory_group',
    id: `directory_group_of_${directory}`,
    idp_id: '7',
    directory_id: directory,
    organization_id: organization.providerId,
  }
  return event(`dsync.group.user_${kind}`, {
    directory_id: directory,
    user: { ...directoryUserOf(organization, userId, email, directory), ...times },
    group: { ...group, name: 'Consultants', raw_attributes: {}, ...times },
  })
}

export const directoryDeleted = ({ providerId }: OfOrganization, directory: string): WorkosEvent =>
  event('dsync.deleted', {
    object: 'directory',
    id: directory,
    organization_id: providerId,
    type: 'okta scim v2.0',
    state: 'deleting',
    name: 'Directory',
  })

export const userEvent = (kind: 'updated' | 'deleted', user: object): WorkosEvent =>
  event(`user.${kind}`, { object: 'user', profile_picture_url: null, external_id: null, ...user })

/** An event type without an effect here. */
export const sessionCreated = (): WorkosEvent =>
  event('session.created', {
    object: 'session',
    id: nextId('session'),
    ip_address: null,
    user_agent: null,
    user_id: nextId('user'),
    auth_method: 'sso',
    status: 'active',
    expires_at: new Date(eventTimeMs + 3_600_000).toISOString(),
    ended_at: null,
  })
