import type { KnownService } from './known-services.queries.ts'
import type { Lead } from './scanners/scanner.ts'

/** Scan inputs whose services are read in one statement. */
const LOOKED_UP_AT_ONCE = 500

/** A scan input and its target. */
export interface TargetLead {
  targetId: string
  lead: Lead
}

/** What is different of a target, in a scan of differences. */
export interface Difference {
  /** The host itself, or a name of it: it is asked as if nothing were known. */
  isHost: boolean
  /** Services; others of the host are not asked again. */
  services: readonly DifferentService[]
}

export interface DifferentService {
  host: string
  protocol: 'tcp' | 'udp'
  port: number
  service: string | null
}

/** Whether a lead is about a whole host of which only services are different. */
export const isMoreThan = (difference: Difference | undefined, lead: Lead): boolean =>
  difference !== undefined && !difference.isHost && hostOf(lead) !== undefined

/**
 * Puts behind names and addresses what the inventory knows to listen there; of targets that a scan of differences is about, only
 * services that are different.
 */
export async function* withKnownServices(
  leads: AsyncIterable<TargetLead>,
  find: (hosts: readonly string[], targetIds: readonly string[]) => Promise<readonly KnownService[]>,
  differences: ReadonlyMap<string, Difference> = new Map(),
): AsyncGenerator<TargetLead> {
  let batch: TargetLead[] = []
  const flush = async function* (): AsyncGenerator<TargetLead> {
    const found = await lookUp(
      batch.filter(({ targetId }) => !differences.has(targetId)),
      find,
    )
    for (const each of batch) {
      const difference = differences.get(each.targetId)
      yield each
      for (const lead of difference ? servicesOf(each.lead, difference) : found(each)) yield { targetId: each.targetId, lead }
    }
    batch = []
  }
  for await (const each of leads) {
    batch.push(each)
    if (batch.length === LOOKED_UP_AT_ONCE) yield* flush()
  }
  yield* flush()
}

const lookUp = async (batch: readonly TargetLead[], find: Parameters<typeof withKnownServices>[1]) => {
  const hosts = batch.flatMap(({ lead }) => hostOf(lead) ?? [])
  const targetIds = batch.flatMap(({ targetId, lead }) => (lead.kind === 'name' ? [targetId] : []))
  const known = hosts.length > 0 ? await find(hosts, targetIds) : []
  const ofHost = Map.groupBy(
    known.filter(({ target_id }) => target_id === null),
    ({ host }) => host,
  )
  const ofTarget = Map.groupBy(known, ({ target_id }) => target_id)
  return ({ targetId, lead }: TargetLead): Lead[] => {
    const name = lead.kind === 'name' ? lead.name : undefined
    const services = [...(ofHost.get(hostOf(lead) ?? '') ?? []), ...(name === undefined ? [] : (ofTarget.get(targetId) ?? []))]
    return services.map(({ host, port, service }) => ({ kind: 'service', address: host, name, protocol: 'tcp', port, service: service ?? undefined }))
  }
}

/** A target that is a URL or a service stands for itself. */
const servicesOf = (lead: Lead, { services }: Difference): Lead[] => {
  if (hostOf(lead) === undefined) return []
  const name = lead.kind === 'name' ? lead.name : undefined
  return services.map(({ host, protocol, port, service }) => ({ kind: 'service', address: host, name, protocol, port, service: service ?? undefined }))
}

const hostOf = (lead: Lead): string | undefined => {
  if (lead.kind === 'name') return lead.name
  return lead.kind === 'address' ? lead.address : undefined
}
