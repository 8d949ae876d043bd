import { isRefusal } from '../scope/host.ts'
import { recognise, type Subject } from '../scope/recognise.ts'
import { judge, type RuleSet, type Verdict } from '../scope/rule-set.ts'
import { canonicalUrl } from './canonical.ts'

/** What is stored of a result, as far as it says where it is. */
export interface StoredPlace {
  kind: string
  /** Null: written by hand. */
  identity: string | null
  asset: string
  host: string | null
  location: string | null
  target_id: string | null
  /** Of its target; null where it has none. */
  target_verdict: string | null
}

/** Where something was seen: what the scope rules look at. */
export interface JudgedPlace {
  host: string
  /** At that host; null where only the host is known. */
  url: string | null
  hasTarget: boolean
}

/**
 * The verdict of a place itself, where its target may have another one: at a URL that rules judge otherwise than its host, and
 * where there is no target. Null: that of the target, or nothing can be said.
 */
export const ownVerdict = (rules: RuleSet, { host, url, hasTarget }: JudgedPlace): Verdict | null => {
  // What most results are.
  if (hasTarget && url === null) return null
  const ofHost = subjectOf(host)
  const ofUrl = url === null ? undefined : subjectOf(url)
  if (!ofHost) return null
  const [byHost, byPlace] = [judge(rules, ofHost).verdict, judge(rules, ofUrl ?? ofHost).verdict]
  return hasTarget ? (byPlace === byHost ? null : byPlace) : known(byPlace)
}

const subjectOf = (text: string): Subject | undefined => {
  const found = recognise(text)
  return isRefusal(found) ? undefined : found.subject
}

const known = (verdict: Verdict): Verdict | null => (verdict === 'unknown' ? null : verdict)

/** What the rules say of a stored result, by what it says of its place. */
export const ownVerdictOf = (rules: RuleSet, place: StoredPlace): Verdict | null => {
  if (place.identity === null) {
    const subject = subjectOfAsset(place.asset)
    const verdict = subject ? known(judge(rules, subject).verdict) : null
    return verdict === place.target_verdict ? null : verdict
  }
  return place.host === null ? null : ownVerdict(rules, { host: place.host, url: urlOf(place), hasTarget: place.target_id !== null })
}

/**
 * What people write as the place of a finding: a URL, a host or a service, also with a path or words behind it. A word without a
 * dot, such as `Office`, may be anything.
 */
export const subjectOfAsset = (asset: string): Subject | undefined => {
  const [first = ''] = asset.trim().split(/\s/, 1)
  if (!/[.:]/.test(first)) return undefined
  return subjectOf(asset.trim()) ?? subjectOf(first) ?? subjectOf(first.split('/', 1)[0] ?? '')
}

/** Burp has the path of an issue, with a parameter behind it, beside the address of the site. */
const urlOf = ({ kind, asset, location }: StoredPlace): string | null => {
  if (kind === 'http_response' || kind === 'web_path') return asset
  if (kind !== 'vulnerability') return null
  const site = canonicalUrl(asset)
  const path = site && location?.startsWith('/') ? location.split(' [', 1)[0] : undefined
  return (canonicalUrl(location ?? '') ?? (site && path !== undefined ? canonicalUrl(`${site.origin}${path}`) : site))?.href ?? null
}
