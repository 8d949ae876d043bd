import type { KnownService } from './known-services.queries.ts'
import type { Lead } from './scanners/scanner.ts'

/** Scan inputs whose services are read in one statement. */
const LOOKED_UP_AT_ONCE = 500

/** A scan input and its target. */
export interface TargetLead {
  targetId: string
  lead: Lead
}

/** Adds the known services of names and addresses after them. */
export async function* withKnownServices(
  leads: AsyncIterable<TargetLead>,
  find: (hosts: readonly string[], targetIds: readonly string[]) => Promise<readonly KnownService[]>,
): AsyncGenerator<TargetLead> {
  let batch: TargetLead[] = []
  const flush = async function* (): AsyncGenerator<TargetLead> {
    const found = await lookUp(batch, find)
    for (const each of batch) {
      yield each
      for (const lead of found(each)) yield { targetId: each.targetId, lead }
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

const hostOf = (lead: Lead): string | undefined => {
  if (lead.kind === 'name') return lead.name
  return lead.kind === 'address' ? lead.address : undefined
}
