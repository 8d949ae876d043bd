/** Targets of a sighting's place. */
export interface ResultTargets {
  /** The target of the requested name, or of the host if the source reports only one of the two. */
  target_id: string | null
  /** The target of the address behind the name. While rules deny the address, the result belongs to this one. */
  address_target_id: string | null
  /** The verdict of its own place, if it may differ from the target's. */
  own_verdict: string | null
}

/** A result keeps its target if it is seen again by another name. Its address is the one of the last sighting. */
export const targetsSeenAgain = (known: ResultTargets, seen: ResultTargets): ResultTargets => {
  if (known.target_id === null) return seen
  const { target_id, address_target_id } = known
  const { own_verdict } = seen
  return {
    target_id,
    address_target_id: target_id === seen.target_id ? (seen.address_target_id ?? address_target_id) : address_target_id,
    own_verdict,
  }
}
