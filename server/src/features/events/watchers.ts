import type { EVENT_TYPES } from '@sortie/contract/core/events.ts'
import type { Guard } from '@sortie/contract/core/scopes.ts'
import { type Actor, isLimitedKey, type Person } from '../../platform/auth/actor.ts'
import { isPermitted, requirementOf } from '../../platform/auth/guard.ts'
import type { Config } from '../../platform/config.ts'
import type { Rights, RightsQuestion, Watcher } from '../../platform/events/audience.ts'

type EventType = (typeof EVENT_TYPES)[number]

/** What a key needs to hear of a type of object: the guard of reading it. */
const GUARDS: Readonly<Record<EventType, Guard>> = {
  engagement: 'setting:ENGAGEMENT_READ_SCOPE',
  file: 'setting:ENGAGEMENT_READ_SCOPE',
  target: 'targets:read',
  scope: 'targets:read',
  result: 'targets:read',
  scan: 'targets:read',
  schedule: 'targets:read',
  import: 'targets:read',
  operation: 'targets:read',
  task: 'tasks:read',
  page: 'wiki:read',
  request: 'api-requests:read',
  finding: 'reports:read',
  library_entry: 'reports:read',
  retest: 'reports:read',
  report: 'reports:read',
  member: 'organizations:read',
  setting: 'organizations:read',
}

/** Who listens: a person hears of all that the organization has, a key of what its scopes and its limit let it read. */
export const watcherOf = (actor: Actor, person: Person | undefined, config: Config): Watcher => {
  const { organizationId, id } = actor
  if (person)
    return { kind: 'session', id: person.sessionId, userId: person.userId, organizationId, sawOpenEngagements: true }
  const isLimited = isLimitedKey(actor)
  return {
    kind: 'key',
    id,
    userId: id,
    organizationId,
    ...(actor.ownerRole !== undefined && { ownerRole: actor.ownerRole }),
    sawOpenEngagements: !isLimited,
    mayHear: (type, engagementId) =>
      (engagementId !== null || !isLimited) && isPermitted(actor, requirementOf(GUARDS[type], config)),
  }
}

type FindRights = (questions: readonly RightsQuestion[]) => Promise<(Rights | undefined)[]>

/** Asks about sessions and keys at the same time; without questions of one kind, it is not asked. */
export const findRightsOf =
  (finders: Readonly<Record<Watcher['kind'], FindRights>>): FindRights =>
  async (questions) => {
    const ofKind = async (kind: Watcher['kind']) => {
      const asked = questions.filter((question) => question.kind === kind)
      const rights = asked.length === 0 ? [] : await finders[kind](asked)
      return asked.map((question, index) => [question, rights[index]] as const)
    }
    const found = new Map((await Promise.all([ofKind('session'), ofKind('key')])).flat())
    return questions.map((question) => found.get(question))
  }
