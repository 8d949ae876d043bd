import { type Config, DEFAULT_ADMIN_PASSWORD } from '../platform/config.ts'

/** For the person at the terminal, apart from the log. */
export const announce = (config: Config, port: number, isFirstStart: boolean): void => {
  const here = `http://${config.HOST === '0.0.0.0' || config.HOST === '::' ? 'localhost' : config.HOST}:${port}`
  const password = config.ADMIN_PASSWORD === DEFAULT_ADMIN_PASSWORD ? config.ADMIN_PASSWORD : 'the one in ADMIN_PASSWORD'
  const lines =
    config.SORTIE_ROLE === 'worker'
      ? [`Sortie does jobs; its health: ${here}/api/health`]
      : [
          `Sortie is ready at ${here}${config.FRONTEND_URL === here ? '' : ` (public address: ${config.FRONTEND_URL})`}`,
          isFirstStart
            ? `Sign in as ${config.ADMIN_EMAIL}, password: ${password}`
            : `Sign in as ${config.ADMIN_EMAIL} (or any account) with the password it has; npm run sortie -- reset-password makes a new one`,
          `API reference: ${here}/api/docs`,
        ]
  process.stderr.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`)
}
