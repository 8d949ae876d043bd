import type { Transaction } from '../../../platform/database/transaction.ts'
import { rangeText } from '../../scope/rules/address-range.ts'
import type { Subject } from '../../scope/rules/recognise.ts'
import { smallestNetworks } from '../../targets/found-targets.service.ts'
import { fingerprintOf } from '../../targets/target-keys.ts'
import { listByIdentity, listNetworks } from '../../targets/targets.queries.ts'

const MAX_ABOVE = 32

/** Returns a URL and the URLs above it, split at `/`, the nearest first. */
export const urlsAbove = (written: string): string[] => {
  const { href, origin, pathname } = new URL(written)
  const parts = pathname.split('/').slice(1, MAX_ABOVE)
  const above = parts.map((_, index) => `${origin}/${parts.slice(0, parts.length - index).join('/')}`)
  return [href, ...above.flatMap((url) => [`${url}/`, url]), `${origin}/`]
}

/**
 * Finds the target nearest to an address: the URL or one above it, the service, the host, or the smallest network
 * around it.
 */
export const findNearestTarget = async (
  tx: Transaction,
  { organizationId, engagementId }: { organizationId: string; engagementId: string },
  { host, port, url }: Subject,
): Promise<string | null> => {
  const text = typeof host === 'string' ? host : rangeText(host)
  const inUrl = text.includes(':') ? `[${text}]` : text
  const wanted = [
    ...(url ? urlsAbove(`${url.origin}${url.path}`).map((each) => ['url', each] as const) : []),
    ...(port ? [['service', `${inUrl}:${port.number}/${port.protocol ?? 'tcp'}`] as const] : []),
    [typeof host === 'string' ? 'domain' : text.includes('/') ? 'cidr' : 'ip', text] as const,
  ]
  const identities = wanted.map(([kind, canonical]) => fingerprintOf(engagementId, kind, canonical))
  const there = await listByIdentity(tx, organizationId, [...new Set(identities)])
  const found = identities.map((identity) => there.get(identity)).find((id) => id !== undefined)
  if (found !== undefined || typeof host === 'string') return found ?? null
  return smallestNetworks(await listNetworks(tx, organizationId, engagementId))({ host })
}
