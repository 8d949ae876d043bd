/** Targets of where something was seen. */
export interface ResultTargets {
  /** Of the name that was asked; of the host where only one of the two is said. */
  target_id: string | null
  /** Of the address that was asked by the name: while rules deny it, the result is of this one. */
  address_target_id: string | null
  /** Of its own place, where that of the target may be another one. */
  own_verdict: string | null
}

/** What a result belongs to stays, whoever sees it again by another name; its address is the one where it was seen last. */
export const targetsSeenAgain = (known: ResultTargets, seen: ResultTargets): ResultTargets => {
  if (known.target_id === null) return seen
  const { target_id, address_target_id } = known
  const { own_verdict } = seen
  return { target_id, address_target_id: target_id === seen.target_id ? (seen.address_target_id ?? address_target_id) : address_target_id, own_verdict }
}
