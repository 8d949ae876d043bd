import { isReachableFromElsewhere } from '../../../platform/config.ts'
import { ConfigurationError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/http/context.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { listInstanceAdminHashes } from './accounts.queries.ts'

/** Bounds how long a start takes: some 20 ms each. An account of the first start is among the oldest. */
const MAX_CHECKED = 50
const AT_ONCE = 4

/**
 * The documented default password administers nothing that others can reach (abuse case S17): it may have been set when
 * the server was not reachable yet. Accounts beyond the 50 oldest are not looked at; no door takes the password of them either.
 *
 * @throws ConfigurationError with a line for each instance administrator who has it, and the command that changes it
 */
export const requireNoDefaultPassword = async ({ db, config, log }: Pick<Platform, 'db' | 'config' | 'log'>, passwords: Passwords): Promise<void> => {
  if (!isReachableFromElsewhere(config)) return
  const admins = await listInstanceAdminHashes(db, MAX_CHECKED + 1)
  if (admins.length > MAX_CHECKED) log.warn(`only the ${MAX_CHECKED} oldest instance administrators are checked for the default password`)
  const found: string[] = []
  for (let i = 0; i < Math.min(admins.length, MAX_CHECKED); i += AT_ONCE) {
    const some = admins.slice(i, Math.min(i + AT_ONCE, MAX_CHECKED))
    const areDefault = await Promise.all(some.map(({ password_hash }) => passwords.isDefault(password_hash)))
    found.push(...some.filter((_admin, index) => areDefault[index]).map(({ email }) => email))
  }
  if (found.length > 0) throw new ConfigurationError(found.map(lineOf))
}

const lineOf = (email: string): string =>
  `ADMIN_PASSWORD: ${email} administers this instance and still has the default password, which is refused unless HOST and FRONTEND_URL are loopback; change it: npm run sortie -- reset-password ${email}`
