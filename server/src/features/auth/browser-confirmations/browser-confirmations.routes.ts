import * as contract from '@sortie/contract/account/sessions.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { setDeviceCookie } from '../sign-in/signed-in-cookies.ts'
import { confirmBrowser, requestBrowserConfirmation } from './browser-confirmations.service.ts'

export const browserConfirmationRoutes = (): Route[] => [
  route(contract.requestBrowserConfirmation, async (context) => {
    await requestBrowserConfirmation(context, context.body.email, context.address)
    return { data: { requested: true } }
  }),

  route(contract.confirmBrowser, async (context) => {
    const { email, deviceToken } = await confirmBrowser(context, context.body.token, context)
    setDeviceCookie(context.cookies, deviceToken)
    return { data: { confirmed: true, email } }
  }),
]
