import type { Config } from '../platform/config.ts'
import { isPasswordNew, placeOf } from '../platform/config/environment.ts'
import type { SafeModeState } from '../platform/safe-mode/safe-mode.ts'

interface Started {
  port: number
  isFirstStart: boolean
  safeMode: SafeModeState | undefined
}

/** For the person at the terminal, separate from the log. */
export const announce = (config: Config, { port, isFirstStart, safeMode }: Started): void => {
  const here = `http://${config.HOST === '0.0.0.0' || config.HOST === '::' ? 'localhost' : config.HOST}:${port}`
  const lines =
    config.SORTIE_ROLE === 'worker'
      ? [`Sortie runs jobs; health: ${here}/api/health`]
      : [
          `Sortie is ready at ${here}${config.FRONTEND_URL === here ? '' : ` (public address: ${config.FRONTEND_URL})`}`,
          ...(safeMode?.isOn && !config.given.has('ADMIN_EMAIL')
            ? ['Sign in with an account of this database; npm run operator -- list-accounts shows them']
            : howToSignIn(config, isFirstStart)),
          `API reference: ${here}/api/docs`,
        ]
  if (safeMode?.isOn) {
    lines.push(`SAFE MODE: no scans, API requests or mail leave this instance. ${safeMode.reason}`)
    if (!safeMode.isForced) lines.push('To end that: npm run operator -- go-live')
  }
  process.stderr.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`)
}

/** The password itself is shown once: by the start that made the account with a new password. */
const howToSignIn = ({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: Config, isFirstStart: boolean): string[] => {
  const place = placeOf('ADMIN_PASSWORD')
  if (isFirstStart && isPasswordNew())
    return [`Sign in as ${email}, password: ${password}`, `The password is not shown again; it is in ${place}`]
  if (isFirstStart) return [`Sign in as ${email}; the password is in ${place}`]
  const first = place === undefined ? '' : `; its first password is in ${place}`
  return [
    `Sign in as ${email} (or any account) with its password${first}`,
    'npm run operator -- reset-password sets a new one',
  ]
}
