import type { Transaction } from '../../../platform/database/transaction.ts'
import { rangeText } from '../../scope/rules/address-range.ts'
import { isRefusal } from '../../scope/rules/host.ts'
import { type Port, type Recognised, recognise, type Subject } from '../../scope/rules/recognise.ts'
import { evaluate, evaluateConnection, type RuleSet } from '../../scope/rules/rule-set.ts'
import { findRuleSet } from '../../scope/scope.service.ts'
import { noteFoundTargets } from '../../targets/found-targets.service.ts'
import { fingerprintOf } from '../../targets/target-keys.ts'
import { listByIdentity } from '../../targets/targets.queries.ts'
import { urlsAbove } from '../ingest/nearest-target.service.ts'
import { ownVerdict, portOfPlace, tellsPlacesApart } from '../ingest/own-verdicts.ts'
import type { ResultTargets } from '../ingest/result-targets.ts'
import type { ResultSource } from '../ingest/sources.ts'
import type { Sighting } from '../sightings/sightings.ts'

/**
 * The place of a sighting: a host and its requested name, or a name and the address behind it; optionally a port or a
 * URL there.
 */
export type SightedHost = Pick<Sighting, 'host' | 'askedName'> &
  Partial<Pick<Sighting, 'address' | 'url' | 'protocol' | 'port'>>

/** Puts the address first, if it is known. */
const spokenOf = ({ host, askedName, address = null }: SightedHost): [host: string | null, askedName: string | null] =>
  address === null ? [host, askedName] : [address, host]

type Host = Recognised<'domain' | 'ip'>

/** Targets of a batch and the verdicts of the scope rules. */
export interface Hosts {
  targetsOf(place: SightedHost): ResultTargets
  isOut(place: SightedHost): boolean
  /** True if the engagement's target limit excludes some. */
  isFull: boolean
}

export interface Finding {
  source: ResultSource
  mode: 'apply' | 'preview'
  /** `mark` creates targets for all, `skip` for none that are out, `in` only for those that a rule allows. */
  outOfScope: 'mark' | 'skip' | 'in'
  now: string
  /** Value of `TARGET_LIMIT`. */
  limit: number
  /** Stores each host's target, and whether it is new. */
  keep(found: readonly FoundHost[]): Promise<void>
}

/** A host as written. Its target is null in a preview that would create it. */
export interface FoundHost {
  host: string
  target_id: string | null
  is_new: boolean
}

/** Creates targets for the names and addresses of a batch of an import or a scan; a preview creates none. */
export const findHosts = async (tx: Transaction, finding: Finding, places: readonly SightedHost[]): Promise<Hosts> => {
  const { organizationId, engagementId } = finding.source
  const hosts = new Map<string, Host>()
  for (const written of places.flatMap(spokenOf)) {
    const host = written !== null && !hosts.has(written) ? hostOf(written) : undefined
    if (host) hosts.set(written as string, host)
  }
  const rules = await findRuleSet(tx, organizationId, engagementId)
  const verdict = (place: SightedHost) => {
    const [host, askedName] = spokenOf(place)
    return verdictOf(rules, hosts.get(host ?? ''), hosts.get(askedName ?? ''), place)
  }
  const isOut = (place: SightedHost) => verdict(place) === 'out'
  const isKept = {
    mark: () => true,
    skip: (place: SightedHost) => !isOut(place),
    in: (place: SightedHost) => ['in', 'caution'].includes(verdict(place)),
  }
  const kept = new Set(places.filter(isKept[finding.outOfScope]).flatMap(spokenOf))
  const wanted = [...hosts].filter(([written]) => kept.has(written))
  const nearest = await nearestTargets(
    tx,
    finding,
    tellsPlacesApart(rules)
      ? places
          .filter((place) => verdict(place) !== verdict({ ...place, url: null, port: null }))
          .map((place) => wayTo(rules, place, hosts))
      : [],
  )
  const ids =
    finding.mode === 'apply' ? await noteTargets(tx, finding, rules, wanted) : await lookUpTargets(tx, finding, wanted)
  return {
    targetsOf: (place) => {
      const [host, askedName] = spokenOf(place)
      const [byName = null, byHost = null] = [ids.get(askedName ?? ''), ids.get(host ?? '')]
      const isAddress = hosts.get(host ?? '')?.kind === 'ip'
      const target_id =
        (nearest.size > 0 ? nearest.get(wayTo(rules, place, hosts).join()) : undefined) ?? byName ?? byHost
      const decides = hosts.get(askedName ?? host ?? '')
      const own =
        decides &&
        ownVerdict(rules, {
          host: decides.canonical,
          address: isAddress ? (hosts.get(host ?? '')?.canonical ?? null) : null,
          port: portAt(place),
          url: tellsPlacesApart(rules) ? urlAt(place, decides) : null,
          hasTarget: target_id !== null,
        })
      return { target_id, address_target_id: byName !== null && isAddress ? byHost : null, own_verdict: own ?? null }
    },
    isOut,
    isFull: finding.mode === 'apply' && ids.size < wanted.length,
  }
}

const hostOf = (written: string): Host | undefined => {
  const found = recognise(written)
  return !isRefusal(found) && (found.kind === 'domain' || found.kind === 'ip') ? (found as Host) : undefined
}

/** The requested name decides, including the port and the path of its URL, unless its address is denied. */
const verdictOf = (rules: RuleSet, host: Host | undefined, askedName: Host | undefined, place: SightedHost): string => {
  const decides = askedName ?? host
  if (!decides) return 'unknown'
  const { url = null } = place
  const port = rules.ports ? portAt(place) : null
  const subject =
    (url !== null && tellsPlacesApart(rules) && subjectAt(url, decides)) ||
    (port ? { ...decides.subject, port } : decides.subject)
  const address = askedName && host?.subject.host
  if (address === undefined || typeof address === 'string') return evaluate(rules, subject).verdict
  return evaluateConnection(rules, subject, address).verdict
}

const portAt = ({ port = null, protocol = null }: SightedHost): Port | null => portOfPlace({ port, protocol })

/** Returns the URL of a place if it is at this host. */
const urlAt = ({ url = null }: SightedHost, host: Host): string | null =>
  url !== null && subjectAt(url, host) ? url : null

/** Parses a URL for scope rules; undefined if it has another host. */
const subjectAt = (url: string, { canonical }: Host): Subject | undefined => {
  const found = recognise(url)
  if (isRefusal(found)) return undefined
  const { host } = found.subject
  return (typeof host === 'string' ? host : rangeText(host)) === canonical ? found.subject : undefined
}

type Way = readonly (readonly [kind: 'url' | 'service', canonical: string])[]

/** The possible targets of a place within its host, the nearest first: its URL, one above it, its service. */
const wayTo = (rules: RuleSet, place: SightedHost, hosts: ReadonlyMap<string, Host>): Way => {
  const [host, askedName] = spokenOf(place)
  const decides = hosts.get(askedName ?? host ?? '')?.canonical
  const port = rules.ports ? portAt(place) : null
  const at = decides?.includes(':') ? `[${decides}]` : decides
  return [
    ...(place.url ? urlsAbove(place.url).map((url) => ['url', url] as const) : []),
    ...(port && at !== undefined ? [['service', `${at}:${port.number}/${port.protocol ?? 'tcp'}`] as const] : []),
  ]
}

/** Finds the nearest target of places that rules treat differently from their hosts, by their way. */
const nearestTargets = async (
  tx: Transaction,
  { source }: Finding,
  ways: readonly Way[],
): Promise<Map<string, string>> => {
  const { organizationId, engagementId } = source
  const near = [...new Map(ways.map((way) => [way.join(), way]))].map(([key, way]) => ({
    key,
    identities: way.map(([kind, canonical]) => fingerprintOf(engagementId, kind, canonical)),
  }))
  const there =
    near.length > 0
      ? await listByIdentity(tx, organizationId, [...new Set(near.flatMap(({ identities }) => identities))])
      : new Map<string, string>()
  return new Map(
    near.flatMap(({ key, identities }) => {
      const id = identities.map((identity) => there.get(identity)).find((each) => each !== undefined)
      return id === undefined ? [] : [[key, id] as const]
    }),
  )
}

const noteTargets = async (
  tx: Transaction,
  finding: Finding,
  rules: RuleSet,
  wanted: readonly (readonly [string, Host])[],
): Promise<Map<string, string>> => {
  if (wanted.length === 0) return new Map()
  const { organizationId, engagementId, seenAt, kind } = finding.source
  const about = { organizationId, engagementId, source: kind, seenAt, now: finding.now, rules, limit: finding.limit }
  const made = await noteFoundTargets(
    tx,
    about,
    wanted.map(([, host]) => host),
  )
  const found = wanted.flatMap(([written], index) => {
    const target = made[index]
    return target ? [{ host: written, target_id: target.id, is_new: target.isNew }] : []
  })
  await finding.keep(found)
  return new Map(found.map(({ host, target_id }) => [host, target_id]))
}

const lookUpTargets = async (
  tx: Transaction,
  { source, keep }: Finding,
  wanted: readonly (readonly [string, Host])[],
): Promise<Map<string, string>> => {
  const { organizationId, engagementId } = source
  const identities = wanted.map(
    ([written, { kind, canonical }]) => [written, fingerprintOf(engagementId, kind, canonical)] as const,
  )
  const there = await listByIdentity(
    tx,
    organizationId,
    identities.map(([, identity]) => identity),
  )
  const found = identities.map(([written, identity]) => ({
    host: written,
    target_id: there.get(identity) ?? null,
    is_new: !there.has(identity),
  }))
  await keep(found)
  return new Map(found.flatMap(({ host, target_id }) => (target_id === null ? [] : [[host, target_id] as const])))
}
