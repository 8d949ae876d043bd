import { type Command, print } from './command-line.ts'

export const USAGE = [
  'npm run sortie -- <command>',
  '',
  '  create-user <email> <name> [--instance-admin] [--password-stdin]',
  '      an account, with a password that is printed, or that comes on standard input',
  '  create-organization <name> <email of the owner>',
  '      an organization; the owner is told by mail, a new one by a link to choose a password',
  '  reset-password <email> [--password-stdin]',
  '      a new password, printed or from standard input; ends every session of the account',
  '  reset-second-factor <email>',
  '      takes the second factor off an account; ends every session of it',
  '  grant-admin <email>',
  '      lets an account administer the instance',
  '  revoke-admin <email>',
  '      takes that away again; the last one keeps it',
  '  link-billing-customer <slug of the organization> <customer id>',
  '      which customer of the payment provider pays for it; events that came for the customer before are applied',
  '  unlink-billing-customer <slug of the organization>',
  '      nobody pays for it any more; a plan that a subscription gave ends',
  '  link-directory <slug of the organization> <organization id at WorkOS>',
  '      which organization of WorkOS it is: whom WorkOS names a member of that one is a member of this one',
  '  unlink-directory <slug of the organization>',
  '      WorkOS has no say in its members any more; those there are stay',
  '  switch-sso-off <slug of the organization>',
  '      passwords open it again: for when the identity provider is gone',
  '  backup <new directory> [--portable]',
  '      a copy of the database and of STORAGE_PATH, while the server runs; of an embedded database a copy of its directory,',
  '      or with --portable one that restores into any Postgres, as every other backup does',
  '  backup <directory> --keep <number> [--portable]',
  '      makes the backup in a new directory below this one, then deletes all but so many of those that it made there',
  '  verify <backup>',
  '      reads all of a backup and compares it with its checksums; restores nothing',
  '  restore <backup> --rekey | --keep-keys',
  '      puts a backup into an empty database and an empty STORAGE_PATH; --rekey ends all API keys, sessions and mailed links, so that none that',
  '      was withdrawn since the backup comes back to life; --keep-keys leaves them',
  '  rekey [--keep-keys]',
  '      the same for a database that was restored by other means, with the server stopped',
  '  go-live [--send-waiting-mail]',
  '      ends safe mode, in which a restored or copied database starts; mails that waited before it are held unless asked for',
  '  bind-storage [--confirm]',
  '      whether STORAGE_PATH belongs to the database; --confirm joins them, whatever either belonged to',
  '  clean-storage [--confirm]',
  '      which files have no row; --confirm takes them all into the quarantine',
  '  worker [--only <kinds>] [--port <port>] [--metrics-port <port>]',
  '      does jobs until it is stopped, all or those of the named kinds (import,scan); any number, on any machine; answers for',
  '      its health on a port of its own, and for its metrics on another one if that is given',
  '  egress <address or name>[:port]',
  '      whether scans and requests may reach it, and by which rule; exit code 1 where they may not',
  '  check-config',
  '      every setting with its effective value; exit code 78 and a line per problem',
  '  decisions',
  '      how this instance decides what the specification leaves open',
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
  'clean-storage': async (line) => (await storage()).cleanFiles(line),
  worker: async (line) => (await import('./commands/worker-command.ts')).worker(line),
  egress: async (line) => (await import('./commands/egress-command.ts')).egress(line),
  'check-config': async (line) => (await settings()).checkConfig(line),
  decisions: async (line) => (await settings()).decisions(line),
  help,
}
