import type { Transaction } from '../../platform/database/transaction.ts'
import type { Coverage } from '../inventory/coverage/coverage.ts'
import { listHostsWithin } from '../inventory/coverage/covered.queries.ts'
import type { ResultSource } from '../inventory/ingest/sources.ts'
import { isSingle, rangeText } from '../scope/rules/address-range.ts'
import { isRefusal } from '../scope/rules/host.ts'
import { recognise } from '../scope/rules/recognise.ts'
import { findTarget } from '../targets/targets.queries.ts'

/** Converts the importer's `covered` to coverage: the hosts of targets, or every host. */
export const coveragesOf = async (
  tx: Transaction,
  source: ResultSource,
  covered: 'all' | readonly string[],
): Promise<Coverage[]> => {
  if (covered === 'all') return [{ what: 'everything', host: null }]
  const hosts = new Set<string>()
  for (const id of covered) {
    const target = await findTarget(tx, source.organizationId, id)
    for (const host of target ? await hostsOf(tx, source, target.canonical) : []) hosts.add(host)
  }
  return [...hosts].map((host) => ({ what: 'everything', host }))
}

/** Returns the name or address; for a network, its addresses that have results. */
const hostsOf = async (
  tx: Transaction,
  { organizationId, engagementId }: ResultSource,
  canonical: string,
): Promise<string[]> => {
  const found = recognise(canonical)
  if (isRefusal(found)) return []
  const { host } = found.subject
  if (typeof host === 'string') return [host]
  return isSingle(host) ? [rangeText(host)] : listHostsWithin(tx, organizationId, engagementId, rangeText(host))
}
