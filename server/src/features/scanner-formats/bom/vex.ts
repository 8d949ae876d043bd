import type { Verdict } from '../../inventory/sightings/sightings.ts'

/** What a state of VEX (CycloneDX 1.6, OpenVEX 0.2) decides about a known finding. */
const VERDICTS: Record<string, Verdict | undefined> = {
  not_affected: 'false_positive',
  false_positive: 'false_positive',
  fixed: 'fixed',
  resolved: 'fixed',
  resolved_with_pedigree: 'fixed',
  exploitable: 'confirmed',
  affected: 'confirmed',
}

export const vexVerdict = (state: string | undefined): Verdict | undefined =>
  Object.hasOwn(VERDICTS, state ?? '') ? VERDICTS[state as string] : undefined

/** Tools whose findings a statement may be about: each has its own fingerprint. */
export const TOOLS_OF_VEX = ['cyclonedx', 'trivy', 'grype'] as const
