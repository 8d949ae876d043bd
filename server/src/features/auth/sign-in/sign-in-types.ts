import type { Person } from '../../../platform/auth/actor.ts'
import type { Device } from '../../../platform/auth/device.ts'
import type { SessionOrigin } from '../sessions/sessions.queries.ts'

/** The client that signs in, with its device cookie. */
export interface Origin extends Device {
  deviceToken: string | undefined
  /** The user whose current session the sign-in ends. */
  person: Person | undefined
}

/** Result of the first step of a sign-in. */
export interface FirstStep extends SessionOrigin {
  /** The address that the user receives mail at; null if there is none. */
  verifiedEmail: string | null
}

/** The first step succeeded; one of these second factors is missing. */
export interface Unfinished {
  ticket: string
  secondFactors: ('app' | 'passkey')[]
}

/** A sign-in that is complete. */
export interface Started {
  user: { id: string; name: string; email: string }
  sessionToken: string
  /** Token of a device cookie to set. */
  newDeviceToken: string | undefined
}
