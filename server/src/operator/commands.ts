import { type Command, print } from './command-line.ts'

export const USAGE = [
  'npm run operator -- <command>',
  '',
  '  create-user <email> <name> [--instance-admin] [--password-stdin]',
  '      creates an account; the password is printed, or read from standard input',
  '  create-organization <name> <email of the owner>',
  '      creates an organization; the owner is notified by email, a new one gets a link to choose a password',
  '  reset-password <email> [--password-stdin]',
  '      sets a new password, printed or read from standard input; ends every session of the account',
  '  reset-second-factor <email>',
  '      removes the second factor of an account; ends every session of it',
  '  grant-admin <email>',
  '      makes an account an instance administrator',
  '  revoke-admin <email>',
  '      removes an instance administrator; the last one cannot be removed',
  '  link-billing-customer <slug of the organization> <customer id>',
  '      sets the customer of the payment provider that pays for it; earlier events of the customer are applied',
  '  unlink-billing-customer <slug of the organization>',
  '      removes the customer; a plan from a subscription ends',
  '  link-directory <slug of the organization> <organization id at WorkOS>',
  '      links it to an organization at WorkOS, whose members become its members',
  '  unlink-directory <slug of the organization>',
  '      WorkOS no longer manages its members; existing members stay',
  '  switch-sso-off <slug of the organization>',
  '      lets members sign in with a password again, for when the identity provider is unavailable',
  '  backup <new directory> [--portable]',
  '      copies the database and STORAGE_PATH while the server runs; an embedded database is copied as a directory,',
  '      or with --portable in a form that restores into any Postgres, like backups of other databases',
  '  backup <directory> --keep <number> [--portable]',
  '      makes the backup in a new directory below this one, then deletes all but the newest <number> backups there',
  '  verify <backup>',
  '      reads the whole backup and compares it with its checksums; restores nothing',
  '  restore <backup> --rekey | --keep-keys',
  '      restores a backup into an empty database and an empty STORAGE_PATH; --rekey ends all API keys, sessions and emailed links, so that none that',
  '      was revoked since the backup works again; --keep-keys keeps them',
  '  rekey [--keep-keys]',
  '      the same for a database that was restored by other means, with the server stopped',
  '  go-live [--send-waiting-mail]',
  '      ends safe mode, in which a restored or copied database starts; emails from before it are held unless --send-waiting-mail is given',
  '  bind-storage [--confirm]',
  '      shows whether the stored files belong to the database; --confirm binds them in any case',
  '  clean-storage [--confirm]',
  '      lists files without a row; --confirm moves them to quarantine',
  '  move-storage --to <url> [--confirm]',
  '      copies the uploaded files to another storage, and compares each by its SHA-256; run again without a server, it',
  '      binds the database to that one; --confirm moves without files that are missing or damaged',
  '  worker [--only <kinds>] [--port <port>] [--metrics-port <port>]',
  '      runs jobs until it is stopped, all or only the named kinds (import,scan); any number, on any machine; serves',
  '      its health on a port of its own, and its metrics on another one if given',
  '  egress <address or name>[:port]',
  '      shows whether scans and requests may reach it, and by which rule; exit code 1 if they may not',
  '  check-config',
  '      lists every setting with its effective value; exit code 78 and one line per problem if a setting is wrong',
  '  decisions',
  "      lists this instance's decisions on points that the specification leaves open",
  '  help',
]

const help: Command = async () => {
  for (const line of USAGE) print(line)
}

const accounts = () => import('./commands/account-commands.ts')
const organizations = () => import('./commands/organization-commands.ts')
const backups = () => import('./commands/backup-commands.ts')
const restores = () => import('./commands/restore-commands.ts')
const storage = () => import('./commands/storage-commands.ts')
const settings = () => import('./commands/settings-commands.ts')

/** Each imports only the part of the server that it needs, since people wait for it. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  'create-user': async (line) => (await accounts()).createUser(line),
  'create-organization': async (line) => (await organizations()).createOrganization(line),
  'reset-password': async (line) => (await accounts()).resetPassword(line),
  'reset-second-factor': async (line) => (await accounts()).resetFactor(line),
  'grant-admin': async (line) => (await accounts()).grantAdmin(line),
  'revoke-admin': async (line) => (await accounts()).revokeAdmin(line),
  'link-billing-customer': async (line) => (await organizations()).linkBillingCustomer(line),
  'unlink-billing-customer': async (line) => (await organizations()).unlinkBillingCustomer(line),
  'link-directory': async (line) => (await organizations()).linkDirectoryTo(line),
  'unlink-directory': async (line) => (await organizations()).unlinkDirectoryFrom(line),
  'switch-sso-off': async (line) => (await organizations()).switchOff(line),
  backup: async (line) => (await backups()).backup(line),
  verify: async (line) => (await restores()).verify(line),
  restore: async (line) => (await restores()).restore(line),
  rekey: async (line) => (await restores()).rekeyCommand(line),
  'go-live': async (line) => (await import('./commands/safe-mode-command.ts')).goLive(line),
  'bind-storage': async (line) => (await storage()).bindStorage(line),
  'move-storage': async (line) => (await storage()).moveStorage(line),
  'clean-storage': async (line) => (await storage()).cleanFiles(line),
  worker: async (line) => (await import('./commands/worker-command.ts')).worker(line),
  egress: async (line) => (await import('./commands/egress-command.ts')).egress(line),
  'check-config': async (line) => (await settings()).checkConfig(line),
  decisions: async (line) => (await settings()).decisions(line),
  help,
}
