// The settings that npm start, npm run dev and npm run demo make when there are none yet. Runs on any Node from 20 on.
import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Without similar-looking characters, and without special characters of .env files, shells or JSON. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const [GROUPS, GROUP_LENGTH] = [5, 5]

/** Five groups of five characters, such as `x7kqm-...`: 123 random bits. */
const newPassword = () =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')

const newSecret = () => randomBytes(32).toString('base64url')

/**
 * Writes a settings file that only its owner can read. Never changes an existing file.
 *
 * @param options.comment first line of the file
 * @param options.hasPassword true to create ADMIN_PASSWORD too
 * @param options.more further lines
 * @returns true if the file was written
 */
export const writeFirstSettings = (file, { comment, hasPassword, more = [] }) => {
  const password = [
    '# Signs in ADMIN_EMAIL after the first start. What is changed in the web interface later is not written here.',
    `ADMIN_PASSWORD=${newPassword()}`,
  ]
  const lines = [`# ${comment}`, `SESSION_SECRET=${newSecret()}`, ...(hasPassword ? password : []), ...more]
  try {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

/** Settings of the real installation, its database above all: they have no part in an instance of its own. */
const REAL = ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'ADMIN_PASSWORD', 'METRICS_TOKEN'].flatMap((name) => [
  name,
  `${name}_FILE`,
])

/**
 * Makes the programs that this process starts use an instance in a directory of its own, with settings that are written
 * there when there are none.
 *
 * @param comment first line of the file of settings
 * @returns the password of the first account; undefined where an earlier version wrote the file without one
 */
export const chooseOwnSettings = (directory, comment) => {
  mkdirSync(directory, { recursive: true })
  const file = path.join(directory, 'env')
  writeFirstSettings(file, { comment, hasPassword: true })
  for (const name of [...REAL, 'FRONTEND_URL', 'HOST', 'ADMIN_EMAIL', 'METRICS_PORT', 'SORTIE_PASSWORD_IS_NEW'])
    delete process.env[name]
  Object.assign(process.env, { ENV_FILE: file, DATA_DIR: directory, STORAGE_PATH: path.join(directory, 'uploads') })
  // The demonstration's own little network on this machine may be scanned.
  process.env.EGRESS_ALLOW ??= '127.66.0.0/29'
  return /^ADMIN_PASSWORD=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
}
