import { parseSingle } from '../../scope/rules/address-range.ts'
import { isRefusal } from '../../scope/rules/host.ts'
import { type Port, recognise, type Subject } from '../../scope/rules/recognise.ts'
import { evaluate, evaluateConnection, type RuleSet, type Verdict } from '../../scope/rules/rule-set.ts'
import { canonicalUrl } from '../sightings/canonical.ts'

/** The stored fields that locate a result. */
export interface StoredPlace {
  kind: string
  /** Null: written by hand. */
  identity: string | null
  asset: string
  host: string | null
  protocol: string | null
  port: number | null
  location: string | null
  target_id: string | null
  /** The name that is the target: the result was found by it, at `host`. Null for other targets. */
  target_name: string | null
  /** Null: the result has no target. */
  target_verdict: string | null
}

/** The place of a sighting, as scope rules evaluate it. */
export interface EvaluatedAsset {
  host: string
  /** The address behind the name `host`, if it is known. */
  address: string | null
  /** A port of that host; null if the place is the whole host. */
  port: Port | null
  /** A URL at that host; null if only the host is known. */
  url: string | null
  hasTarget: boolean
}

/**
 * Evaluates a place whose verdict may differ from its target's: a URL or a port that rules treat differently from its
 * host, or a place without a target. Returns null if the target's verdict applies, or if no rule matches.
 */
export const ownVerdict = (rules: RuleSet, { host, address, port, url, hasTarget }: EvaluatedAsset): Verdict | null => {
  // The common case.
  if (hasTarget && url === null && (port === null || !rules.ports)) return null
  const ofHost = subjectOf(host)
  if (!ofHost) return null
  const ofPlace = (url === null ? undefined : subjectOf(url)) ?? (port ? { ...ofHost, port } : ofHost)
  // The target of the address states its verdict; only rules for ports distinguish places at it.
  const range = rules.ports && address !== null && address !== host ? parseSingle(address) : undefined
  const verdict = (subject: Subject) =>
    (range ? evaluateConnection(rules, subject, range) : evaluate(rules, subject)).verdict
  const [byHost, byPlace] = [verdict(ofHost), verdict(ofPlace)]
  return hasTarget ? (byPlace === byHost ? null : byPlace) : known(byPlace)
}

/** The port of a stored place or a sighting; without a known protocol it is that of both. */
export const portOfPlace = ({ port, protocol }: { port: number | null; protocol: string | null }): Port | null =>
  port === null ? null : { number: port, protocol: protocol === 'tcp' || protocol === 'udp' ? protocol : null }

/** True if rules may treat places of one host differently: some are for URLs or ports. */
export const tellsPlacesApart = ({ urls, ports }: RuleSet): boolean => urls.size > 0 || ports !== undefined

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
  if (place.host === null) return null
  const port = portOfPlace(place)
  const hasTarget = place.target_id !== null
  const host = place.target_name ?? place.host
  return ownVerdict(rules, { host, address: place.host, port, url: urlOf(place), hasTarget })
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
