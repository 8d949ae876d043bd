import { parseArgs } from 'node:util'
import { currentUser } from '@sortie/embedded-postgres/users.ts'
import { ApiError, ConfigurationError } from '../platform/errors.ts'
import { UsageError } from './command-line.ts'
import { COMMANDS, USAGE } from './commands.ts'

/** EX_USAGE and EX_CONFIG of sysexits.h. */
const EXIT_USAGE = 64
const EXIT_CONFIGURATION = 78

/**
 * The reader of the output may stop reading, such as `head` or a closed terminal: the command finishes without
 * printing.
 */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })
}

const main = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      'password-stdin': { type: 'boolean' },
      'instance-admin': { type: 'boolean' },
      rekey: { type: 'boolean' },
      'keep-keys': { type: 'boolean' },
      portable: { type: 'boolean' },
      keep: { type: 'string' },
      confirm: { type: 'boolean' },
      to: { type: 'string' },
      'send-waiting-mail': { type: 'boolean' },
      only: { type: 'string' },
      json: { type: 'boolean' },
      yes: { type: 'boolean' },
      port: { type: 'string' },
      'metrics-port': { type: 'string' },
      url: { type: 'string' },
      email: { type: 'string' },
      profiles: { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [name = 'help', ...operands] = positionals
  const command = values.help ? COMMANDS.help : Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`there is no command ${name}`)
  await command({
    operands,
    passwordStdin: values['password-stdin'] ?? false,
    instanceAdmin: values['instance-admin'] ?? false,
    rekey: values.rekey ?? false,
    keepKeys: values['keep-keys'] ?? false,
    portable: values.portable ?? false,
    keep: values.keep,
    confirm: values.confirm ?? false,
    to: values.to,
    sendWaitingMail: values['send-waiting-mail'] ?? false,
    only: values.only,
    json: values.json ?? false,
    yes: values.yes ?? false,
    port: values.port,
    metricsPort: values['metrics-port'],
    url: values.url,
    email: values.email,
    profiles: values.profiles,
    data: values.data,
  })
}

const fail = (lines: readonly string[], exitCode: number): void => {
  for (const line of lines) process.stderr.write(`sortie: ${line}\n`)
  process.exitCode = exitCode
}

/** Refusals of a file system. */
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOSPC', 'EDQUOT'])

/** A file or directory that the operator must change; undefined for other errors. */
const refusedFile = (error: unknown): string | undefined => {
  const { code = '', path } = error as NodeJS.ErrnoException
  return REFUSED.has(code) && path !== undefined
    ? `${path} cannot be used by user ${currentUser()} (${code})`
    : undefined
}

/** An operator has no request id to look up. */
const causeOf = ({ status, message, cause }: ApiError): string =>
  status === 500 && cause instanceof Error ? cause.message : message

main().catch((error) => {
  const refused = refusedFile(error)
  if (error instanceof ConfigurationError) fail(error.lines, EXIT_CONFIGURATION)
  else if (error instanceof ApiError) fail([causeOf(error)], 1)
  else if (error instanceof UsageError || error?.code?.startsWith?.('ERR_PARSE_ARGS')) {
    fail([error.message], EXIT_USAGE)
    process.stderr.write(`\n${USAGE.join('\n')}\n`)
  } else if (refused !== undefined) fail([refused], EXIT_CONFIGURATION)
  else fail([error instanceof Error ? (error.stack ?? error.message) : String(error)], 1)
})
