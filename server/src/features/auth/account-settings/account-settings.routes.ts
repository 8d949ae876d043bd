import * as contract from '@sortie/contract/account/account.ts'
import type { Platform } from '../../../platform/context.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { getAccount } from '../accounts/accounts.queries.ts'
import { updateAccount } from '../accounts/accounts.service.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { findSecondFactor, listDemandingOrganizations } from '../second-factor/second-factor.queries.ts'
import { changePassword } from './account-settings.service.ts'

export const accountRoutes = (passwords: Passwords): Route[] => [
  route(contract.getAccount, async (context) => ({ data: await readAccount(context, context.person.userId) })),

  route(contract.updateAccount, async (context) => {
    await updateAccount(context, context.person, context.body)
    return { data: await readAccount(context, context.person.userId) }
  }),

  route(contract.changePassword, async (context) => {
    const { sessionToken, endedSessions } = await changePassword(
      context,
      passwords,
      context.person,
      context.body,
      context,
    )
    context.cookies.set('sid', sessionToken)
    return { data: { changed: true, endedSessions } }
  }),
]

const readAccount = async ({ db, safeMode }: Pick<Platform, 'db' | 'safeMode'>, userId: string) => {
  const [account, factor, requiredBy, safety] = await Promise.all([
    getAccount(db, userId),
    findSecondFactor(db, userId),
    listDemandingOrganizations(db, userId),
    safeMode.find(),
  ])
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    isInstanceAdmin: account.is_instance_admin,
    createdAt: account.created_at,
    safeMode: safety?.isOn ? { reason: safety.reason, isForced: safety.isForced } : null,
    secondFactor: {
      enabled: factor !== undefined,
      enabledAt: factor?.enabled_at ?? null,
      appEnabledAt: factor?.app_enabled_at ?? null,
      passkeys: factor?.passkeys ?? 0,
      recoveryCodesLeft: factor?.recovery_codes_left ?? 0,
      requiredBy,
    },
    dateFormat: account.date_format,
    timeFormat: account.time_format,
    notifications: {
      membership: account.notify_membership,
      apiKeys: account.notify_api_keys,
      invitations: account.notify_invitations,
      mentions: account.notify_mentions,
      assignments: account.notify_assignments,
    },
  }
}
