import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

/** Name of a user of this machine for messages; `uid 54321` if it has none. */
export const userOf = (uid: number): string => {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  return lines.find((line) => line.split(':')[2] === String(uid))?.split(':')[0] ?? `uid ${uid}`
}

/** The user that this process runs as. */
export const currentUser = (): string => {
  const uid = process.getuid?.()
  return uid === undefined ? userInfo().username : userOf(uid)
}
