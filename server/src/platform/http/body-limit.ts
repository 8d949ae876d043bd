import type { Door, Endpoint } from '@sortie/contract/endpoint.ts'
import type { Config } from '../config.ts'

/** Room for the longest answer of a passkey, with its field names. */
const PUBLIC_BODY_LIMIT_BYTES = 16_384

/**
 * Largest body of an endpoint at a door, in bytes; what is larger is answered 400 without being read. Where nobody has to
 * prove who they are (guard `public`, and the door at which sessions begin) it is 16 KiB at most (abuse case I15).
 */
export const bodyLimitOf = ({ scope }: Pick<Endpoint, 'scope'>, door: Door, { BODY_LIMIT_BYTES }: Pick<Config, 'BODY_LIMIT_BYTES'>): number =>
  scope === 'public' || door === 'auth' ? Math.min(PUBLIC_BODY_LIMIT_BYTES, BODY_LIMIT_BYTES) : BODY_LIMIT_BYTES
