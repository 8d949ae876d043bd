import { text } from 'node:stream/consumers'
import { linkCustomer, unlinkCustomer } from '../features/billing/billing.service.ts'
import { createAccountAs, newPassword, setPasswordAs } from '../features/identity/account-settings/operator.service.ts'
import { findUserByEmail } from '../features/identity/accounts/accounts.queries.ts'
import { setInstanceAdmin } from '../features/identity/accounts/instance-admins.service.ts'
import { createPasswords } from '../features/identity/passwords/passwords.ts'
import { resetSecondFactor } from '../features/identity/second-factor/second-factor.service.ts'
import { createOrganizationWithOwner } from '../features/instance/instance.service.ts'
import { linkDirectory, unlinkDirectory } from '../features/organizations/directory/links.service.ts'
import { findOrganizationBySlug } from '../features/organizations/organizations.queries.ts'
import { switchSsoOff } from '../features/organizations/organizations.service.ts'
import { readConfig, VARIABLES, type VariableName } from '../platform/config.ts'
import { notFound } from '../platform/errors.ts'
import type { Platform } from '../platform/http/context.ts'
import { parseEmail, parseLine } from '../platform/text.ts'
import { describeDecisions } from '../published/open-points.ts'
import { backup, rekeyCommand, restore } from './backup-commands.ts'
import { type Command, exactly, OPERATOR, print, UsageError } from './command-line.ts'
import { egress } from './egress-command.ts'
import { withPlatform } from './operator-platform.ts'
import { worker } from './worker-command.ts'

const MAX_NAME = 200

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
  '  backup <new directory>',
  '      a copy of the embedded database and of STORAGE_PATH, while the server runs',
  '  restore <backup> --rekey | --keep-keys',
  '      puts a backup into empty directories; --rekey ends all API keys, sessions and mailed links, so that none that',
  '      was withdrawn since the backup comes back to life; --keep-keys leaves them',
  '  rekey [--keep-keys]',
  '      the same for a database that was restored with pg_restore, with the server stopped',
  '  worker [--only <kinds>] [--port <port>]',
  '      does jobs until it is stopped, all or those of the named kinds (import,scan); any number, on any machine; answers for',
  '      its health on a port of its own',
  '  egress <address or name>[:port]',
  '      whether scans and requests may reach it, and by which rule; exit code 1 where they may not',
  '  check-config',
  '      every setting with its effective value; exit code 78 and a line per problem',
  '  decisions',
  '      how this instance decides what the specification leaves open',
  '  help',
]

const createUser: Command = async ({ operands, passwordStdin, instanceAdmin }) => {
  const [email, name] = exactly(operands, 2)
  const password = await choosePassword(passwordStdin)
  await withPlatform(async (platform) => {
    const user = await createAccountAs(platform, createPasswords(platform.config), OPERATOR, {
      email,
      name: nameFrom(name),
      password,
      isInstanceAdmin: instanceAdmin,
    })
    print(`${user.email} has an account${instanceAdmin ? ' and administers the instance' : ''}.`)
    if (!passwordStdin) print(`Password: ${password}`)
  })
}

const createOrganization: Command = async ({ operands }) => {
  const [name, ownerEmail] = exactly(operands, 2)
  await withPlatform(async (platform) => {
    const { organization, owner, ownerIsNew } = await createOrganizationWithOwner(platform, OPERATOR, { name: nameFrom(name), ownerEmail })
    print(`${organization.name} (${organization.slug}) belongs to ${owner.email}.`)
    print(ownerIsNew ? 'A mail with a link to choose a password is on its way: it goes out while the server runs.' : 'The owner is told by mail.')
  })
}

const resetPassword: Command = async ({ operands, passwordStdin }) => {
  const [email] = exactly(operands, 1)
  const password = await choosePassword(passwordStdin)
  await withPlatform(async (platform) => {
    const user = await getUser(platform, email)
    await setPasswordAs(platform, createPasswords(platform.config), OPERATOR, user, password)
    print(`${user.email} has a new password; every session of the account has ended.`)
    if (!passwordStdin) print(`Password: ${password}`)
  })
}

const resetFactor: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const user = await getUser(platform, email)
    const existed = await resetSecondFactor(platform, OPERATOR, user.id)
    print(existed ? `${user.email} has no second factor any more; every session of the account has ended.` : `${user.email} has no second factor.`)
  })
}

const grantAdmin: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const user = await getUser(platform, email)
    const isChanged = await setInstanceAdmin(platform, OPERATOR, user.id, true)
    print(`${user.email} administers the instance${isChanged ? '' : ' already'}.`)
  })
}

const revokeAdmin: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const user = await getUser(platform, email)
    const isChanged = await setInstanceAdmin(platform, OPERATOR, user.id, false)
    print(`${user.email} ${isChanged ? 'no longer administers' : 'does not administer'} the instance.`)
  })
}

const linkBillingCustomer: Command = async ({ operands }) => {
  const [slug, customerId] = exactly(operands, 2)
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(customerId)) throw new UsageError('a customer id looks like cus_QXg1o2F3h4J5k6')
  await withPlatform(async (platform) => {
    const { id, name } = await getOrganization(platform, slug)
    await linkCustomer(platform, { ...OPERATOR, organizationId: id }, customerId)
    print(`${customerId} pays for ${name}.`)
  })
}

const unlinkBillingCustomer: Command = async ({ operands }) => {
  const [slug] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const { id, name } = await getOrganization(platform, slug)
    await unlinkCustomer(platform, { ...OPERATOR, organizationId: id })
    print(`Nobody pays for ${name} any more.`)
  })
}

const linkDirectoryTo: Command = async ({ operands }) => {
  const [slug, providerId] = exactly(operands, 2)
  await withPlatform(async (platform) => {
    const { id, name } = await getOrganization(platform, slug)
    await linkDirectory(platform, { ...OPERATOR, organizationId: id }, providerId)
    print(`${name} is ${providerId}.`)
  })
}

const unlinkDirectoryFrom: Command = async ({ operands }) => {
  const [slug] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const { id, name } = await getOrganization(platform, slug)
    await unlinkDirectory(platform, { ...OPERATOR, organizationId: id })
    print(`WorkOS has no say in the members of ${name} any more.`)
  })
}

const switchOff: Command = async ({ operands }) => {
  const [slug] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const { id, name } = await getOrganization(platform, slug)
    const wasOn = await switchSsoOff(platform, { ...OPERATOR, organizationId: id })
    print(wasOn ? `A password opens ${name} again.` : `${name} does not demand single sign-on.`)
  })
}

const checkConfig: Command = async ({ operands }) => {
  exactly(operands, 0)
  const config = readConfig()
  const names = Object.keys(VARIABLES) as VariableName[]
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) {
    const origin = config.given.has(name) ? '' : '  (default)'
    print(`${name.padEnd(width)}  ${shown(name, config[name])}${origin}`)
  }
}

const decisions: Command = async ({ operands }) => {
  exactly(operands, 0)
  print(describeDecisions(readConfig()))
}

const help: Command = async () => {
  for (const line of USAGE) print(line)
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  'create-user': createUser,
  'create-organization': createOrganization,
  'reset-password': resetPassword,
  'reset-second-factor': resetFactor,
  'grant-admin': grantAdmin,
  'revoke-admin': revokeAdmin,
  'link-billing-customer': linkBillingCustomer,
  'unlink-billing-customer': unlinkBillingCustomer,
  'link-directory': linkDirectoryTo,
  'unlink-directory': unlinkDirectoryFrom,
  'switch-sso-off': switchOff,
  backup,
  restore,
  rekey: rekeyCommand,
  worker,
  egress,
  'check-config': checkConfig,
  decisions,
  help,
}

const shown = (name: VariableName, value: string | number | boolean | readonly string[] | undefined): string => {
  if (value === undefined) return 'not set'
  if ('secret' in VARIABLES[name]) return '********'
  return typeof value === 'object' ? value.join(', ') : String(value)
}

const nameFrom = (typed: string): string => {
  const name = parseLine(typed, MAX_NAME)
  if (name === undefined) throw new UsageError(`a name must be one line of 1 to ${MAX_NAME} characters`)
  return name
}

const choosePassword = async (fromStdin: boolean): Promise<string> => (fromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : newPassword())

const getUser = async ({ db }: Platform, email: string) => {
  const address = parseEmail(email)
  const user = address && (await findUserByEmail(db, address.key))
  if (!user) throw notFound(`There is no account of ${email}.`)
  return user
}

const getOrganization = async ({ db }: Platform, slug: string) => {
  const organization = await findOrganizationBySlug(db, slug)
  if (!organization) throw notFound(`There is no organization ${slug}.`)
  return organization
}
