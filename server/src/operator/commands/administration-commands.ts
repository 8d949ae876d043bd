import { createInterface } from 'node:readline/promises'
import { findUserByEmail } from '../../features/auth/accounts/accounts.queries.ts'
import { findOrganizationToRemove } from '../../features/instance/administration/administration.queries.ts'
import { nameOf } from '../../features/instance/administration/administrator.ts'
import { changeAddress } from '../../features/instance/administration/changed-addresses.service.ts'
import { deleteAccount } from '../../features/instance/administration/deleted-accounts.service.ts'
import {
  beginRemoval,
  countOrganization,
  finishRemoval,
  type OrganizationCount,
} from '../../features/instance/administration/removed-organizations.service.ts'
import { findOrganizationBySlug } from '../../features/organizations/organizations.queries.ts'
import { transferOwnershipAs } from '../../features/organizations/ownership/ownership.service.ts'
import type { Platform } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { parseEmail } from '../../platform/text/text.ts'
import { type Command, exactly, OPERATOR, print, tell } from '../command-line.ts'
import { withPlatform } from '../operator-platform.ts'

export const deleteAccountCommand: Command = async ({ operands, yes }) => {
  const [email] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const user = await findAccount(platform, email)
    if (!yes) await confirm(`This deletes the account of ${user.name}. Type its address to confirm: `, user.email)
    const { sessions, memberships } = await deleteAccount(platform, OPERATOR, user.id)
    print(`The account of ${user.email} is deleted: ${sessions} sessions and ${memberships} memberships have ended.`)
  })
}

export const changeAddressCommand: Command = async ({ operands }) => {
  const [email, wanted] = exactly(operands, 2)
  await withPlatform(async (platform) => {
    const user = await findAccount(platform, email)
    const address = await changeAddress(platform, OPERATOR, user.id, wanted)
    print(`${user.email} signs in as ${address} now; every session of the account has ended, and both get an email.`)
  })
}

export const transferOwnershipCommand: Command = async ({ operands }) => {
  const [slug, email] = exactly(operands, 2)
  await withPlatform(async (platform) => {
    const organization = await findOrganizationBySlug(platform.db, slug)
    if (!organization) throw notFound(`There is no organization ${slug}.`)
    const user = await findAccount(platform, email)
    await transferOwnershipAs(platform, OPERATOR, organization.id, user.id, nameOf(OPERATOR))
    print(`${organization.name} (${slug}) belongs to ${user.email} now.`)
  })
}

/** Resumes a removal that a killed command or a stopped server left. */
export const removeOrganizationCommand: Command = async ({ operands, yes }) => {
  const [slug] = exactly(operands, 1)
  await withPlatform(async (platform) => {
    const organization = await findOrganizationToRemove(platform.db, slug)
    if (!organization) throw notFound(`There is no organization ${slug}.`)
    const { id, name } = organization
    printCount(`${name} (${slug}) has`, await countOrganization(platform, id))
    if (!yes) await confirm(`This removes all of it, and only a backup has it then. Type ${slug} to confirm: `, slug)
    if (organization.removed_at === null) await beginRemoval(platform, OPERATOR, id, slug, 'by caller')
    tell('No one has access any more. Deleting rows and files ...')
    const removed = await finishRemoval(platform, id, new AbortController().signal)
    printCount('After the removal there are', await countOrganization(platform, id))
    if (removed.filesLeft > 0)
      print(
        `${removed.filesLeft} files are not removed yet: a worker removes them once the instance is live and the storage can be written.`,
      )
    print(`${name} (${slug}) is removed.`)
  })
}

const printCount = (start: string, { rows, storedFiles }: OrganizationCount): void => {
  const sum = [...rows.values()].reduce((total, count) => total + count, 0)
  print(`${start} ${sum} rows in ${rows.size} tables, and ${storedFiles} stored files.`)
  for (const [table, count] of rows) print(`  ${table}: ${count}`)
}

const findAccount = async ({ db }: Platform, email: string) => {
  const address = parseEmail(email)
  const user = address && (await findUserByEmail(db, address.key))
  if (!user) throw notFound(`There is no account of ${email}.`)
  return user
}

/** Asks on standard error and reads a line of standard input. @throws ApiError for another answer, or none */
const confirm = async (question: string, expected: string): Promise<void> => {
  const input = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>((resolve) => input.once('close', () => resolve('')))
    const typed = await Promise.race([input.question(question), closed])
    if (typed.trim() !== expected) throw invalid('Nothing was changed: that is not what was asked for.')
  } finally {
    input.close()
  }
}
