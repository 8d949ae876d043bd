import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { newPassword } from '../../features/auth/account-settings/operator.service.ts'
import { DEFAULT_ADMIN_EMAIL } from '../../platform/config/auth.ts'
import { ConfigurationError } from '../../platform/errors.ts'
import { parseEmail } from '../../platform/text/text.ts'
import { type Command, type CommandLine, print, UsageError } from '../command-line.ts'

/** Parts of compose.yaml that the file of settings switches on. */
const PROFILES = ['postgres', 'redis', 'caddy', 'backup'] as const
type Profile = (typeof PROFILES)[number]

/** The address of the proxy in compose.yaml. */
const CADDY_ADDRESS = '172.31.250.2'

const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Writes the first file of settings, with random secrets, for compose.yaml or a service. Needs no other setting.
 *
 * @throws UsageError for wrong words; ConfigurationError if the file exists, which is never changed
 */
export const init: Command = async ({ operands, url, email, profiles, data }) => {
  if (operands.length > 1) throw new UsageError('one file is expected after init, or none for .env')
  const file = path.resolve(operands[0] ?? '.env')
  const chosen = profilesFrom(profiles)
  const origin = originFrom(url ?? 'http://localhost:3001', chosen)
  const admin = parseEmail(email ?? DEFAULT_ADMIN_EMAIL)
  if (!admin) throw new UsageError('--email must be an email address')
  const lines = [
    '# Made by `init`. docs/operating.md lists all settings. Keep SESSION_SECRET apart from the backups.',
    `SESSION_SECRET=${newSecret()}`,
    `FRONTEND_URL=${origin}`,
    '# Signs in after the first start. What is changed in the web interface later is not written here.',
    `ADMIN_EMAIL=${admin.email}`,
    `ADMIN_PASSWORD=${newPassword()}`,
    ...(data === undefined ? [] : directoryLines(data)),
    ...(chosen.length > 0 ? [`COMPOSE_PROFILES=${chosen.join(',')}`] : []),
    ...chosen.flatMap((profile) => LINES_OF[profile]()),
  ]
  try {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new ConfigurationError([`${file} exists, and init never changes a file: remove it, or name another one`])
  }
  print(`${file} has the settings. Sign in as ${admin.email}; the password is in it (ADMIN_PASSWORD).`)
}

/** What a part needs to be reached, and new passwords for it. */
const LINES_OF: Readonly<Record<Profile, () => string[]>> = {
  postgres: () => {
    const password = newSecret()
    return [
      `POSTGRES_SUPERUSER_PASSWORD=${newSecret()}`,
      `SORTIE_DATABASE_PASSWORD=${password}`,
      `DATABASE_URL=postgres://sortie:${password}@postgres:5432/sortie`,
    ]
  },
  redis: () => {
    const password = newSecret()
    return [`SORTIE_REDIS_PASSWORD=${password}`, `REDIS_URL=redis://:${password}@redis:6379`]
  },
  caddy: () => [`TRUST_PROXY=${CADDY_ADDRESS}`],
  backup: () => [],
}

const directoryLines = (directory: string): string[] => {
  if (!path.isAbsolute(directory) || /[\s'"#$]/.test(directory))
    throw new UsageError('--data must be an absolute path without spaces or quotes')
  return [`DATA_DIR=${directory}`, `STORAGE_PATH=${path.join(directory, 'uploads')}`]
}

const profilesFrom = (typed: CommandLine['profiles']): Profile[] => {
  const names = typed === undefined ? [] : typed.split(',')
  const unknown = names.find((name) => !(PROFILES as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new UsageError(`there is no profile ${JSON.stringify(unknown)}; there are ${PROFILES.join(', ')}`)
  return PROFILES.filter((profile) => names.includes(profile))
}

const originFrom = (typed: string, profiles: readonly Profile[]): string => {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`)
    throw new UsageError('--url must be an address without a path, such as https://sortie.example.com')
  if (profiles.includes('caddy') && (url.protocol !== 'https:' || url.port !== ''))
    throw new UsageError('--url must be https:// without a port for the profile caddy, which serves it at port 443')
  return url.origin
}
