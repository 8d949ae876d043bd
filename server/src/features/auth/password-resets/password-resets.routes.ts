import * as contract from '@sortie/contract/account/sessions.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { inspectPasswordReset, requestPasswordReset, resetPassword } from './password-resets.service.ts'

export const passwordResetRoutes = (passwords: Passwords): Route[] => [
  route(contract.requestPasswordReset, async (context) => {
    await requestPasswordReset(context, context.body.email, context.address)
    return { data: { requested: true } }
  }),

  route(contract.inspectPasswordReset, async (context) => {
    const { email, purpose, name, expires_at } = await inspectPasswordReset(context, context.body.token)
    return { data: { email, purpose: purpose, name, expiresAt: expires_at } }
  }),

  route(contract.resetPassword, async (context) => ({
    data: { reset: true, email: await resetPassword(context, passwords, context.body, context) },
  })),
]
