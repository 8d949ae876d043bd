import { type Clock, isoTime } from '../../../platform/clock.ts'

/** Each proof is checked every day; it expires if it was not found for this long (abuse case M11). */
const PROOF_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** Proofs from this moment or before have expired. */
export const provedSince = (clock: Clock): string => isoTime(clock.now() - PROOF_LIFETIME_MS)
