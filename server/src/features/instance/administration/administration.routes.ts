import * as contract from '@sortie/contract/instance/administration.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { findDisabledAt, findUser, findUserByEmail } from '../../auth/accounts/accounts.queries.ts'
import { confirmPerson } from '../../auth/accounts/confirm-password.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { transferOwnershipAs } from '../../organizations/ownership/ownership.service.ts'
import { changeAddress } from './changed-addresses.service.ts'
import { deleteAccount } from './deleted-accounts.service.ts'
import { disableAccount, enableAccount } from './disabled-accounts.service.ts'
import { beginRemoval } from './removed-organizations.service.ts'

/** What cannot be undone asks for the administrator's password, as a stolen session must not do it. */
export const administrationRoutes = (passwords: Passwords): Route[] => [
  route(contract.disableAccount, async (context) => {
    const { userId } = context.params
    await disableAccount(context, { person: context.person }, userId)
    return { data: { id: userId, disabledAt: await findDisabledAt(context.db, userId) } }
  }),

  route(contract.enableAccount, async (context) => {
    const { userId } = context.params
    await enableAccount(context, { person: context.person }, userId)
    return { data: { id: userId, disabledAt: null } }
  }),

  route(contract.deleteAccount, async (context) => {
    const { person, params, body, db } = context
    await confirmPerson(context, passwords, person, body.password)
    const account = await findUser(db, params.userId)
    if (!account) throw notFound('There is no account with this id.')
    if (parseEmail(body.email)?.key !== parseEmail(account.email)?.key)
      throw invalid('email: is not the address of this account')
    const { sessions, memberships } = await deleteAccount(context, { person }, params.userId)
    return { data: { id: params.userId, sessionsEnded: sessions, membershipsEnded: memberships } }
  }),

  route(contract.changeAccountAddress, async (context) => {
    const { person, params, body } = context
    await confirmPerson(context, passwords, person, body.password)
    return { data: { id: params.userId, email: await changeAddress(context, { person }, params.userId, body.email) } }
  }),

  route(contract.transferOrganization, async (context) => {
    const { person, params, body, db } = context
    await confirmPerson(context, passwords, person, body.password)
    const owner = await transferOwnershipAs(
      context,
      { person },
      params.organizationId,
      await findUserId(db, body.email),
      person.name,
    )
    return { data: { id: params.organizationId, owner } }
  }),

  route(contract.removeOrganization, async (context) => {
    const { person, params, body } = context
    await confirmPerson(context, passwords, person, body.password)
    const { name } = await beginRemoval(context, { person }, params.organizationId, body.slug, 'by job')
    return { data: { id: params.organizationId, name } }
  }),
]

/** @throws ApiError VALIDATION_ERROR */
const findUserId = async (db: Database, email: string): Promise<string> => {
  const address = parseEmail(email)
  const user = address && (await findUserByEmail(db, address.key))
  if (!user) throw invalid('email: has no account')
  return user.id
}
