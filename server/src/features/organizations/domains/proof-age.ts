import { type Clock, isoTime } from '../../../platform/clock.ts'

/** Each proof is looked for every day; one that was not found for so long does not count any more (abuse case M11). */
const PROOF_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** Proofs from this moment or before are too old. */
export const provedSince = (clock: Clock): string => isoTime(clock.now() - PROOF_LIFETIME_MS)
