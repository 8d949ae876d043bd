import type { Person } from '../../../platform/auth/actor.ts'
import type { Device } from '../../../platform/device.ts'
import type { SessionOrigin } from '../sessions/sessions.queries.ts'

/** Where a sign-in comes from, with the device cookie that it brings. */
export interface Origin extends Device {
  deviceToken: string | undefined
  /** Who is signed in here already: that session ends. */
  person: Person | undefined
}

/** What the first step of a sign-in proved. */
export interface FirstStep extends SessionOrigin {
  /** The address that the person is known to receive mail at; null where there is none. */
  verifiedEmail: string | null
}

/** The first step was right, and one of these is missing. */
export interface Unfinished {
  ticket: string
  secondFactors: ('app' | 'passkey')[]
}

/** A sign-in that is complete. */
export interface Started {
  user: { id: string; name: string; email: string }
  sessionToken: string
  /** Of a device cookie to set. */
  newDeviceToken: string | undefined
}
