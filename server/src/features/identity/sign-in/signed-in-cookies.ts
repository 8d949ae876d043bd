import type { Person } from '../../../platform/auth/actor.ts'
import type { Cookies } from '../../../platform/http/cookies.ts'
import { DEVICE_LIFETIME_MS } from '../devices/devices.service.ts'
import type { Origin, Started } from './sign-in-types.ts'

/** Where the request of a sign-in comes from. */
export const originOf = ({
  address,
  userAgent,
  person,
  cookies,
}: {
  address: string
  userAgent: string
  person: Person | undefined
  cookies: Cookies
}): Origin => ({ address, userAgent, person, deviceToken: cookies.get('device') })

export const setSignedInCookies = (cookies: Cookies, { sessionToken, newDeviceToken }: Started): void => {
  cookies.set('sid', sessionToken)
  if (newDeviceToken) cookies.set('device', newDeviceToken, DEVICE_LIFETIME_MS / 1000)
}
