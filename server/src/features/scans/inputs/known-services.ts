import type { ScanInput } from '../scanners/scanner.ts'
import type { KnownService } from './known-services.queries.ts'

/** Scan inputs whose services are read in one statement. */
const LOOKUP_BATCH = 500

/** A scan input and its target. */
export interface TargetInput {
  targetId: string
  input: ScanInput
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
export const isMoreThan = (difference: Difference | undefined, input: ScanInput): boolean =>
  difference !== undefined && !difference.isHost && hostOf(input) !== undefined

/**
 * Puts behind names and addresses what the inventory knows to listen there; of targets that a scan of differences is
 * about, only services that are different.
 */
export async function* withKnownServices(
  inputs: AsyncIterable<TargetInput>,
  find: (hosts: readonly string[], targetIds: readonly string[]) => Promise<readonly KnownService[]>,
  differences: ReadonlyMap<string, Difference> = new Map(),
): AsyncGenerator<TargetInput> {
  let batch: TargetInput[] = []
  const flush = async function* (): AsyncGenerator<TargetInput> {
    const found = await lookUp(
      batch.filter(({ targetId }) => !differences.has(targetId)),
      find,
    )
    for (const each of batch) {
      const difference = differences.get(each.targetId)
      yield each
      for (const input of difference ? servicesOf(each.input, difference) : found(each))
        yield { targetId: each.targetId, input }
    }
    batch = []
  }
  for await (const each of inputs) {
    batch.push(each)
    if (batch.length === LOOKUP_BATCH) yield* flush()
  }
  yield* flush()
}

const lookUp = async (batch: readonly TargetInput[], find: Parameters<typeof withKnownServices>[1]) => {
  const hosts = batch.flatMap(({ input }) => hostOf(input) ?? [])
  const targetIds = batch.flatMap(({ targetId, input }) => (input.kind === 'name' ? [targetId] : []))
  const known = hosts.length > 0 ? await find(hosts, targetIds) : []
  const ofHost = Map.groupBy(
    known.filter(({ target_id }) => target_id === null),
    ({ host }) => host,
  )
  const ofTarget = Map.groupBy(known, ({ target_id }) => target_id)
  return ({ targetId, input }: TargetInput): ScanInput[] => {
    const name = input.kind === 'name' ? input.name : undefined
    const services = [
      ...(ofHost.get(hostOf(input) ?? '') ?? []),
      ...(name === undefined ? [] : (ofTarget.get(targetId) ?? [])),
    ]
    return services.map(({ host, port, service }) => ({
      kind: 'service',
      address: host,
      name,
      protocol: 'tcp',
      port,
      service: service ?? undefined,
    }))
  }
}

/** A target that is a URL or a service is its own service. */
const servicesOf = (input: ScanInput, { services }: Difference): ScanInput[] => {
  if (hostOf(input) === undefined) return []
  const name = input.kind === 'name' ? input.name : undefined
  return services.map(({ host, protocol, port, service }) => ({
    kind: 'service',
    address: host,
    name,
    protocol,
    port,
    service: service ?? undefined,
  }))
}

const hostOf = (input: ScanInput): string | undefined => {
  if (input.kind === 'name') return input.name
  return input.kind === 'address' ? input.address : undefined
}
