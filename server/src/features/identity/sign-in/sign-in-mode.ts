import type { Config } from '../../../platform/config.ts'
import { forbidden } from '../../../platform/errors.ts'

/**
 * Whom a password signs in. With an identity provider nobody, unless the operator left the door open for instance
 * administrators; nothing else opens it, also not that the provider is down (abuse case S16).
 */
export const passwordsOpenFor = (config: Pick<Config, 'AUTH_PROVIDER' | 'AUTH_LOCAL_FALLBACK'>): 'everybody' | 'administrators' | 'nobody' => {
  if (config.AUTH_PROVIDER === 'local') return 'everybody'
  return config.AUTH_LOCAL_FALLBACK ? 'administrators' : 'nobody'
}

const CLOSED = 'People sign in to this server through its identity provider: passwords are not used here.'

/** @throws ApiError FORBIDDEN where people have no passwords to make or reset */
export const requirePasswords = (config: Config): void => {
  if (config.AUTH_PROVIDER !== 'local') throw forbidden(CLOSED)
}

/** @throws ApiError FORBIDDEN where a password signs nobody in */
export const requirePasswordDoor = (config: Config): void => {
  if (passwordsOpenFor(config) === 'nobody') throw forbidden(CLOSED)
}
