import * as contract from '@sortie/contract/account/account.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { Passwords } from '../passwords/passwords.ts'
import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from './second-factor.service.ts'

export const secondFactorRoutes = (passwords: Passwords): Route[] => [
  route(contract.startSecondFactor, async (context) => ({
    data: await startSecondFactor(context, passwords, context.person, context.body),
  })),

  route(contract.confirmSecondFactor, async (context) => {
    const { person, body, cookies } = context
    const { recoveryCodes, sessionToken } = await confirmSecondFactor(context, person, body.code, context)
    cookies.set('sid', sessionToken)
    return { data: { recoveryCodes } }
  }),

  route(contract.removeSecondFactor, async (context) => {
    const { person, body, cookies } = context
    cookies.set('sid', await removeSecondFactor(context, passwords, person, body, context))
    return { data: { removed: true } }
  }),

  route(contract.renewRecoveryCodes, async (context) => ({
    data: { recoveryCodes: await renewRecoveryCodes(context, passwords, context.person, context.body, context) },
  })),
]
