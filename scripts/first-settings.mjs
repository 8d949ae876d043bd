// Creates the first settings of npm start and npm run demo. Runs on any Node from 20 on.
import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'

/** Without similar-looking characters, and without special characters of .env files, shells or JSON. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const [GROUPS, GROUP_LENGTH] = [5, 5]

/** Five groups of five characters, such as `x7kqm-...`: 123 random bits. */
const newPassword = () =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')).join('-')

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
