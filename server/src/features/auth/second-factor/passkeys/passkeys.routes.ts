import * as contract from '@sortie/contract/account/account.ts'
import { type Route, route } from '../../../../platform/http/routes/route.ts'
import type { Passwords } from '../../passwords/passwords.ts'
import { askForPasskey, holderOfSession } from '../proofs/proof.service.ts'
import { listPasskeys } from './passkeys.queries.ts'
import { confirmPasskey, removePasskey, renamePasskey, startPasskey } from './passkeys.service.ts'

export const passkeyRoutes = (passwords: Passwords): Route[] => [
  route(contract.listPasskeys, async ({ db, person }) => ({
    data: (await listPasskeys(db, person.userId)).map(toPasskey),
  })),

  route(contract.startPasskey, async (context) => ({
    data: await startPasskey(context, passwords, context.person, context.body),
  })),

  route(contract.confirmPasskey, async (context) => {
    const { passkey, recoveryCodes, sessionToken } = await confirmPasskey(
      context,
      context.person,
      context.body,
      context,
    )
    context.cookies.set('sid', sessionToken)
    return { data: { passkey: toPasskey(passkey), recoveryCodes } }
  }),

  route(contract.startPasskeyProof, async (context) => {
    const { userId, sessionId } = context.person
    return { data: await askForPasskey(context, userId, holderOfSession('confirm', sessionId)) }
  }),

  route(contract.renamePasskey, async (context) => {
    const { person, params, body } = context
    return { data: toPasskey(await renamePasskey(context, person, params.passkeyId, body.name)) }
  }),

  route(contract.removePasskey, async (context) => {
    const { person, params, body, cookies } = context
    cookies.set('sid', await removePasskey(context, passwords, person, params.passkeyId, body, context))
    return { data: { removed: true, id: params.passkeyId } }
  }),
]

const toPasskey = (row: { id: string; name: string; created_at: string; last_used_at: string | null }) => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})
