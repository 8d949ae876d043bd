import Type from 'typebox'
import { ConfirmingPassword } from '../account/sessions.ts'
import { closedObject, Email, endpoint, Id, NullableTimestamp, one } from '../core/endpoint.ts'

const params = closedObject({ userId: Id('usr') })
const ADMINISTERS = 'The account administers this instance. Remove it as an instance administrator first.'

const AccountState = closedObject({ id: Id('usr'), disabledAt: NullableTimestamp('null: people can sign in with it') })

export const disableAccount = endpoint({
  id: 'disableAccount',
  method: 'POST',
  path: '/instance/accounts/:userId/disable',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Disable an account: its sessions end at once, and its sign-ins and keys are refused.',
  description:
    'The keys are those that act within its rights, of terminals and agents. Keys of an organization stay. Changes nothing if it is disabled. An instance administrator must be removed as such first, so that no one disables their own account: 409.',
  params,
  reply: one(AccountState),
  status: 200,
  conflicts: [ADMINISTERS],
})

export const enableAccount = endpoint({
  id: 'enableAccount',
  method: 'POST',
  path: '/instance/accounts/:userId/enable',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Let a disabled account sign in again.',
  params,
  reply: one(AccountState),
  status: 200,
})

export const deleteAccount = endpoint({
  id: 'deleteAccount',
  method: 'POST',
  path: '/instance/accounts/:userId/delete',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Delete an account, with its sessions, memberships and the keys that act within its rights.',
  description:
    'Name, address, password, second factor and links to identity providers are removed. What it wrote stays, by "Deleted account"; audit logs keep the name of that time. Its address is free for a new account. The owner of an organization cannot be deleted, nor an instance administrator: 409.',
  params,
  body: closedObject({
    email: Type.String({ maxLength: 320, description: 'the address of the account, against a deletion by mistake' }),
    password: ConfirmingPassword,
  }),
  reply: one(
    closedObject({
      id: Id('usr'),
      sessionsEnded: Type.Integer({ minimum: 0 }),
      membershipsEnded: Type.Integer({ minimum: 0 }),
    }),
  ),
  status: 200,
  conflicts: [
    ADMINISTERS,
    'The account owns Contoso (contoso). Transfer the ownership or remove the organization first.',
  ],
})

export const changeAccountAddress = endpoint({
  id: 'changeAccountAddress',
  method: 'POST',
  path: '/instance/accounts/:userId/change-address',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change the address of an account; both addresses get an email.',
  description:
    'The administrator vouches for the new address, so it is not confirmed by a link. Every session of the account ends, and so do the links that were mailed to the former address. Password, second factor and links to identity providers stay. An account without a password gets a new link to choose one.',
  params,
  body: closedObject({ email: Email, password: ConfirmingPassword }),
  reply: one(closedObject({ id: Id('usr'), email: Type.String() })),
  status: 200,
  conflicts: ['mia@example.com already has an account.', 'mia@example.com is the address of this account already.'],
})

export const transferOrganization = endpoint({
  id: 'transferOrganization',
  method: 'POST',
  path: '/instance/organizations/:organizationId/transfer-ownership',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Make another member the owner of an organization; the former owner becomes an admin.',
  description: 'For an owner who has left or cannot sign in. Both get an email.',
  params: closedObject({ organizationId: Id('org') }),
  body: closedObject({
    email: Type.String({ maxLength: 320, description: 'the address of the new owner, a member' }),
    password: ConfirmingPassword,
  }),
  reply: one(
    closedObject({ id: Id('org'), owner: closedObject({ id: Id('usr'), name: Type.String(), email: Type.String() }) }),
  ),
  status: 200,
  conflicts: ['mia@example.com owns the organization already.', 'The account of mia@example.com is disabled.'],
})

export const removeOrganization = endpoint({
  id: 'removeOrganization',
  method: 'POST',
  path: '/instance/organizations/:organizationId/remove',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Remove an organization with everything in it, its files included.',
  description:
    'When this answers, no session and no key has access any more; a job deletes rows and files, and the audit log of the instance records how many. The accounts of its members stay. Only a backup can bring it back. While a customer of the payment provider is linked: 409.',
  params: closedObject({ organizationId: Id('org') }),
  body: closedObject({
    slug: Type.String({ maxLength: 200, description: 'of the organization, against a removal by mistake' }),
    password: ConfirmingPassword,
  }),
  reply: one(closedObject({ id: Id('org'), name: Type.String() })),
  status: 200,
  conflicts: [
    'A customer of the payment provider pays for the organization. End the subscription there, then run: npm run operator -- unlink-billing-customer contoso',
  ],
})
