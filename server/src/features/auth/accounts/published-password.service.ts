import type { Platform } from '../../../platform/context.ts'
import { ConfigurationError } from '../../../platform/errors.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { listInstanceAdminHashes } from './accounts.queries.ts'

/** Bounds the start time: each check takes about 20 ms. The account of the first start is among the oldest. */
const MAX_CHECKED = 50
const AT_ONCE = 4

/**
 * Refuses to start while an instance administrator has the former default password (abuse cases S17 and S28). The
 * password cannot sign in, but the operator must know why, and that the account needs a new one.
 *
 * @throws ConfigurationError with one line per instance administrator, which names the command that sets a new password
 */
export const requireNoFormerDefault = async (
  { db, log }: Pick<Platform, 'db' | 'log'>,
  passwords: Passwords,
): Promise<void> => {
  const admins = await listInstanceAdminHashes(db, MAX_CHECKED + 1)
  if (admins.length > MAX_CHECKED)
    log.warn(`only the ${MAX_CHECKED} oldest instance administrators are checked for the former default password`)
  const found: string[] = []
  for (let i = 0; i < Math.min(admins.length, MAX_CHECKED); i += AT_ONCE) {
    const some = admins.slice(i, Math.min(i + AT_ONCE, MAX_CHECKED))
    const haveIt = await Promise.all(some.map(({ password_hash }) => passwords.isFormerDefault(password_hash)))
    found.push(...some.filter((_admin, index) => haveIt[index]).map(({ email }) => email))
  }
  if (found.length > 0) throw new ConfigurationError(found.map(lineOf))
}

const lineOf = (email: string): string =>
  `${email} administers this instance with the default password of earlier versions, which no longer works; set a new one: npm run operator -- reset-password ${email}`
