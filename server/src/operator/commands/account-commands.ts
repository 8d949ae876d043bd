import { text } from 'node:stream/consumers'
import { createAccountAs, newPassword, setPasswordAs } from '../../features/auth/account-settings/operator.service.ts'
import { findUserByEmail } from '../../features/auth/accounts/accounts.queries.ts'
import { setInstanceAdmin } from '../../features/auth/accounts/instance-admins.service.ts'
import { createPasswords } from '../../features/auth/passwords/passwords.ts'
import { disableAccount, enableAccount } from '../../features/instance/administration/disabled-accounts.service.ts'
import { listAccounts } from '../../features/instance/instance.queries.ts'
import type { Writer } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { parseEmail } from '../../platform/text/text.ts'
import { type Command, exactly, nameFrom, OPERATOR, print } from '../command-line.ts'
import { withPlatform } from '../operator-platform.ts'

export const createUser: Command = async ({ operands, passwordStdin, instanceAdmin }) => {
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

export const resetPassword: Command = async ({ operands, passwordStdin }) => {
  const [email] = exactly(operands, 1)
  const password = await choosePassword(passwordStdin)
  await withUser(email, async (platform, user) => {
    await setPasswordAs(platform, createPasswords(platform.config), OPERATOR, user, password)
    print(`${user.email} has a new password; every session of the account has ended.`)
    if (!passwordStdin) print(`Password: ${password}`)
  })
}

export const resetFactor: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withUser(email, async (platform, user) => {
    const { resetSecondFactor } = await import('../../features/auth/second-factor/second-factor.service.ts')
    const existed = await resetSecondFactor(platform, OPERATOR, user.id)
    print(
      existed
        ? `${user.email} no longer has a second factor; every session of the account has ended.`
        : `${user.email} has no second factor.`,
    )
  })
}

export const grantAdmin: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withUser(email, async (platform, user) => {
    const isChanged = await setInstanceAdmin(platform, OPERATOR, user.id, true)
    print(`${user.email} administers the instance${isChanged ? '' : ' already'}.`)
  })
}

export const revokeAdmin: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withUser(email, async (platform, user) => {
    const isChanged = await setInstanceAdmin(platform, OPERATOR, user.id, false)
    print(`${user.email} ${isChanged ? 'no longer administers' : 'does not administer'} the instance.`)
  })
}

export const disable: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withUser(email, async (platform, user) => {
    const sessions = await disableAccount(platform, OPERATOR, user.id)
    print(
      sessions === undefined
        ? `${user.email} is disabled already.`
        : `${user.email} is disabled: ${sessions} sessions have ended, and sign-ins and keys of the account are refused.`,
    )
  })
}

export const enable: Command = async ({ operands }) => {
  const [email] = exactly(operands, 1)
  await withUser(email, async (platform, user) => {
    const isChanged = await enableAccount(platform, OPERATOR, user.id)
    print(isChanged ? `${user.email} can sign in again.` : `${user.email} is not disabled.`)
  })
}

const ACCOUNTS_AT_ONCE = 500

/** Every account, by name: one line for each, or one JSON object for each with `--json`. */
export const list: Command = async ({ operands, json }) => {
  exactly(operands, 0)
  await withPlatform(async ({ db }) => {
    const filter = { search: undefined, isInstanceAdmin: undefined, isDisabled: undefined }
    for (let offset = 0; ; offset += ACCOUNTS_AT_ONCE) {
      const { rows } = await listAccounts(db, filter, ACCOUNTS_AT_ONCE, offset)
      for (const row of rows) print(json ? JSON.stringify(shownAccount(row)) : lineOf(row))
      if (rows.length < ACCOUNTS_AT_ONCE) return
    }
  })
}

type AccountRow = Awaited<ReturnType<typeof listAccounts>>['rows'][number]

const shownAccount = (row: AccountRow) => ({
  id: row.id,
  name: row.name,
  email: row.email,
  isInstanceAdmin: row.is_instance_admin,
  secondFactorEnabled: row.second_factor_enabled,
  disabledAt: row.disabled_at,
  organizationCount: row.organization_count,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
})

const lineOf = (row: AccountRow): string =>
  [
    row.email,
    row.name,
    `${row.organization_count} organizations`,
    ...(row.is_instance_admin ? ['instance administrator'] : []),
    row.second_factor_enabled ? 'second factor' : 'no second factor',
    ...(row.disabled_at === null ? [] : [`disabled since ${row.disabled_at}`]),
  ].join('  ')

const choosePassword = async (fromStdin: boolean): Promise<string> =>
  fromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : newPassword()

type User = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>

const withUser = (email: string, work: (platform: Writer, user: User) => Promise<void>): Promise<void> =>
  withPlatform(async (platform) => {
    const address = parseEmail(email)
    const user = address && (await findUserByEmail(platform.db, address.key))
    if (!user) throw notFound(`There is no account of ${email}; list-accounts shows all.`)
    await work(platform, user)
  })
