import { DNS_TYPES } from '@sortie/contract/inventory/scans.ts'
import Type, { type Static } from 'typebox'
import type { DnsRecord, RecordType } from '../../../../platform/outbound/records.ts'
import { canonicalHost } from '../../../inventory/sightings/canonical.ts'
import { dnsRecordSighting } from '../../../inventory/sightings/sightings.ts'
import { type Failure, failureOf, tried, warning } from '../failures.ts'
import { inParallel } from '../in-parallel.ts'
import type { Found, ScanInput, ScanNetwork, Scanner } from '../scanner.ts'

/** Simultaneous queries. The few name servers also serve other clients. */
const AT_ONCE = 20
/** Maximum number of records per name; a response has at most 64 KB. */
const MAX_RECORDS = 500
/** Types whose values are names or addresses of hosts. */
const OF_HOSTS: readonly RecordType[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR']

const Options = Type.Object(
  {
    types: Type.Array(Type.Enum([...DNS_TYPES]), {
      minItems: 1,
      uniqueItems: true,
      default: [...DNS_TYPES],
      description: 'which records; PTR is looked up for addresses',
    }),
    addTargets: Type.Boolean({
      default: false,
      description: 'names and addresses that are found and in scope become targets',
    }),
  },
  { additionalProperties: false },
)
type DnsOptions = Static<typeof Options>

export const dns: Scanner<typeof Options> = {
  id: 'dns',
  name: 'DNS',
  description:
    'Looks up the records of names, and the names of addresses, at name servers. Nothing is sent to the targets themselves.',
  takes: ['domain', 'ip', 'cidr'],
  produces: ['dns_record'],
  options: Options,
  unavailable: () => Promise.resolve(null),
  unitsOf: (input, { types }) => questionsAbout(input, types).length,
  run: scanNames,
}

interface Question {
  /** A name, or for PTR an address. */
  about: string
  type: RecordType
}

const questionsAbout = (input: ScanInput, types: readonly RecordType[]): Question[] => {
  if (input.kind === 'name') return types.filter((type) => type !== 'PTR').map((type) => ({ about: input.name, type }))
  return input.kind === 'address' && types.includes('PTR') ? [{ about: input.address, type: 'PTR' }] : []
}

async function* scanNames(
  inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
  { types, addTargets }: DnsOptions,
  reach: ScanNetwork,
): AsyncGenerator<Found> {
  yield* inParallel(questions(inputs, types), AT_ONCE, reach.signal, async (question) => {
    const found = await ask(question, reach)
    return [...found.filter(({ type }) => addTargets || type !== 'host'), { type: 'done', units: 1 }]
  })
}

async function* questions(
  inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
  types: readonly RecordType[],
): AsyncGenerator<Question> {
  for await (const input of inputs) yield* questionsAbout(input, types)
}

const ask = async ({ about, type }: Question, reach: ScanNetwork): Promise<readonly Found[]> => {
  try {
    const records = await reach.findRecords(about, type)
    const shown = records.slice(0, MAX_RECORDS).flatMap((record) => recordFound({ about, type }, record))
    // Without coverage, records above the limit are not marked as gone.
    if (records.length > MAX_RECORDS)
      return [
        ...shown,
        warning(`${about}: ${records.length} records of type ${type}, of which ${MAX_RECORDS} are kept`),
      ]
    return [
      { type: 'coverage', coverage: { what: 'records', host: canonicalHost(about) ?? about, recordType: type } },
      ...shown,
    ]
  } catch (error) {
    reach.signal.throwIfAborted()
    return unanswered({ about, type }, failureOf(error))
  }
}

const unanswered = ({ about, type }: Question, { kind, reason }: Failure): readonly Found[] =>
  kind === 'untouchable'
    ? [{ type: 'skipped', host: about, reason }]
    : [warning(`${about}: the name servers did not answer for records of type ${type} (${reason})`)]

const recordFound = ({ about, type }: Question, { value, ttl }: DnsRecord): readonly Found[] => {
  // `MX 0 .` means that the name receives no mail (RFC 7505).
  if (value === '' || value === '.') return []
  const found = tried(`${about} ${type}`, () => [
    { type: 'sighting', sighting: dnsRecordSighting({ name: about, type, value, ttl }) },
  ])
  const host = OF_HOSTS.includes(type) ? canonicalHost(value) : undefined
  if (host === undefined) return found
  const isAddress = type === 'A' || type === 'AAAA'
  const input: Found[] = isAddress ? [{ type: 'input', input: { kind: 'address', address: host, name: about } }] : []
  return [...found, { type: 'host', host }, ...input]
}
