import type { Person } from '../../../platform/auth/actor.ts'

/** Who administers accounts and organizations: an instance administrator, or the operator's command. */
export type Administrator = { person: Person } | { system: string }

/** For emails: whom the message names. */
export const nameOf = (by: Administrator): string => ('person' in by ? by.person.name : 'The operator of this server')
