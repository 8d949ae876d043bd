import type { Cookies } from '../../../platform/http/answers/cookies.ts'
import { DEVICE_LIFETIME_MS } from '../devices/devices.service.ts'
import type { Origin, Started } from './sign-in-types.ts'

/** The client that signs in, from its request. */
export const originOf = ({
  address,
  userAgent,
  person,
  cookies,
}: Omit<Origin, 'deviceToken'> & { cookies: Cookies }): Origin => {
  const deviceToken = cookies.get('device')
  return { address, userAgent, person, deviceToken }
}

export const setSignedInCookies = (cookies: Cookies, { sessionToken, newDeviceToken }: Started): void => {
  cookies.set('sid', sessionToken)
  if (newDeviceToken) setDeviceCookie(cookies, newDeviceToken)
}

export const setDeviceCookie = (cookies: Cookies, deviceToken: string): void =>
  cookies.set('device', deviceToken, DEVICE_LIFETIME_MS / 1000)
