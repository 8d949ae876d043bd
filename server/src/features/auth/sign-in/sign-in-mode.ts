import type { Config } from '../../../platform/config.ts'
import { forbidden } from '../../../platform/errors.ts'

/**
 * Who can sign in with a password. With an identity provider no one, unless the operator allows it for instance
 * administrators; nothing else allows it, not even an outage of the provider (abuse case S16).
 */
export const passwordsOpenFor = (
  config: Pick<Config, 'AUTH_PROVIDER' | 'AUTH_LOCAL_FALLBACK'>,
): 'everybody' | 'administrators' | 'nobody' => {
  if (config.AUTH_PROVIDER === 'local') return 'everybody'
  return config.AUTH_LOCAL_FALLBACK ? 'administrators' : 'nobody'
}

const CLOSED = 'People sign in to this server through its identity provider: passwords are not used here.'

/** @throws ApiError FORBIDDEN if users have no passwords to make or reset */
export const requirePasswords = (config: Config): void => {
  if (config.AUTH_PROVIDER !== 'local') throw forbidden(CLOSED)
}

/** @throws ApiError FORBIDDEN if passwords cannot sign in */
export const requirePasswordDoor = (config: Config): void => {
  if (passwordsOpenFor(config) === 'nobody') throw forbidden(CLOSED)
}
