import { isRefusal } from '../../scope/rules/host.ts'
import { recognise, type Subject } from '../../scope/rules/recognise.ts'
import { evaluate, type RuleSet, type Verdict } from '../../scope/rules/rule-set.ts'
import { canonicalUrl } from '../sightings/canonical.ts'

/** The stored fields that locate a result. */
export interface StoredPlace {
  kind: string
  /** Null: written by hand. */
  identity: string | null
  asset: string
  host: string | null
  location: string | null
  target_id: string | null
  /** Null: the result has no target. */
  target_verdict: string | null
}

/** The place of a sighting, as scope rules evaluate it. */
export interface EvaluatedAsset {
  host: string
  /** A URL at that host; null if only the host is known. */
  url: string | null
  hasTarget: boolean
}

/**
 * Evaluates a place whose verdict may differ from its target's: a URL that rules treat differently from its host, or a
 * place without a target. Returns null if the target's verdict applies, or if no rule matches.
 */
export const ownVerdict = (rules: RuleSet, { host, url, hasTarget }: EvaluatedAsset): Verdict | null => {
  // The common case.
  if (hasTarget && url === null) return null
  const ofHost = subjectOf(host)
  const ofUrl = url === null ? undefined : subjectOf(url)
  if (!ofHost) return null
  const [byHost, byPlace] = [evaluate(rules, ofHost).verdict, evaluate(rules, ofUrl ?? ofHost).verdict]
  return hasTarget ? (byPlace === byHost ? null : byPlace) : known(byPlace)
}

const subjectOf = (text: string): Subject | undefined => {
  const found = recognise(text)
  return isRefusal(found) ? undefined : found.subject
}

const known = (verdict: Verdict): Verdict | null => (verdict === 'unknown' ? null : verdict)

/** Evaluates the place of a stored result. */
export const ownVerdictOf = (rules: RuleSet, place: StoredPlace): Verdict | null => {
  if (place.identity === null) {
    const subject = subjectOfAsset(place.asset)
    const verdict = subject ? known(evaluate(rules, subject).verdict) : null
    return verdict === place.target_verdict ? null : verdict
  }
  return place.host === null
    ? null
    : ownVerdict(rules, { host: place.host, url: urlOf(place), hasTarget: place.target_id !== null })
}

/**
 * Parses the manually written place of a finding: a URL, a host or a service, possibly followed by a path or words. A
 * word without a dot, such as `Office`, is ambiguous and yields undefined.
 */
export const subjectOfAsset = (asset: string): Subject | undefined => {
  const [first = ''] = asset.trim().split(/\s/, 1)
  if (!/[.:]/.test(first)) return undefined
  return subjectOf(asset.trim()) ?? subjectOf(first) ?? subjectOf(first.split('/', 1)[0] ?? '')
}

/** Burp reports the path of an issue, possibly followed by a parameter, separately from the address of the site. */
const urlOf = ({ kind, asset, location }: StoredPlace): string | null => {
  if (kind === 'http_response' || kind === 'web_path') return asset
  if (kind !== 'vulnerability') return null
  const site = canonicalUrl(asset)
  const path = site && location?.startsWith('/') ? location.split(' [', 1)[0] : undefined
  return (
    (canonicalUrl(location ?? '') ?? (site && path !== undefined ? canonicalUrl(`${site.origin}${path}`) : site))
      ?.href ?? null
  )
}
