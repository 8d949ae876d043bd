// The settings that npm start and npm run demo make when there are none yet. Runs on any Node from 20 on.
import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'

/** No character that looks like another one. None has a meaning in an .env file, a shell or JSON. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const [GROUPS, GROUP_LENGTH] = [5, 5]

/** Five groups of five characters, such as `x7kqm-...`: 123 random bits. */
const newPassword = () =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')).join('-')

const newSecret = () => randomBytes(32).toString('base64url')

/**
 * Writes a file of settings that only its owner can read, unless there is one. An existing file is never changed.
 *
 * @param options.comment first line of the file
 * @param options.hasPassword whether ADMIN_PASSWORD is made as well
 * @param options.more further lines
 * @returns whether the file was written
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
