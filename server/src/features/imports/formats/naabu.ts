import { canonicalAddress, canonicalName, canonicalPort, canonicalProtocol, hostAndPort, splitHostAndPort } from '../../results/canonical.ts'
import { dnsRecordSighting, type Sighting, serviceSighting, Unusable } from '../../results/sightings.ts'
import { technologySighting } from '../../results/web-sightings.ts'
import type { Format, Item } from './format.ts'
import { textLines } from './lines.ts'
import { cdnIn, type Fields, itemsOf, recordItems, textIn } from './records.ts'

const PLAIN_LINE = /^(?:\[[0-9a-fA-F:]{2,45}\]|[A-Za-z0-9._-]{1,253}):\d{1,5}$/

/** JSON rows and plain `host:port` lines of naabu. They prove nothing about ports that they do not show. */
export const naabu: Format = {
  id: 'naabu',
  name: 'naabu JSON lines and plain host:port',
  recognisedBy: 'rows with port and ip or host, without url and tls_version; lines such as "192.0.2.1:80"',
  knowsCoverage: false,
  isIn: (head) =>
    (head.shape === 'json' && head.keys.has('port') && (head.keys.has('ip') || head.keys.has('host')) && !OTHERS.some((key) => head.keys.has(key))) ||
    (head.shape === 'text' && PLAIN_LINE.test(head.line)),
  read: (text, head) => (head.shape === 'text' ? readLines(text) : recordItems(text, rowSightings)),
}

/** Keys that rows of other tools have beside a port. */
const OTHERS = [
  'url',
  'tls_version',
  'subject_cn',
  'probe_status',
  'rec_type',
  'template-id',
  'templateID',
  'info',
  'status',
  'status_code',
  'status-code',
  'id',
]

function* rowSightings(row: Fields): Generator<Sighting> {
  const [writtenHost, writtenAddress] = [textIn(row['host']), textIn(row['ip'])]
  const address = writtenAddress === undefined ? undefined : canonicalAddress(writtenAddress)
  if (writtenAddress !== undefined && address === undefined) throw new Unusable('ip is no address')
  const name = writtenHost === undefined ? undefined : canonicalName(writtenHost)
  const host = address ?? (writtenHost === undefined ? undefined : (canonicalAddress(writtenHost) ?? name))
  if (host === undefined) throw new Unusable('neither ip nor host is an address or a name')
  const protocol = canonicalProtocol(textIn(row['protocol']))
  const port = canonicalPort(typeof row['port'] === 'object' && row['port'] !== null ? (row['port'] as Fields)['Port'] : row['port'])
  if (protocol === undefined || port === undefined) throw new Unusable('port is none from 1 to 65535')
  yield serviceSighting({
    host,
    askedName: name,
    protocol,
    port,
    name: row['name'] ?? row['service'],
    product: row['product'],
    version: row['version'],
    extraInfo: row['extra_info'] ?? row['extra-info'],
    cpe: row['cpes'],
    cdn: cdnIn(row),
    tunnel: row['tls'] === true ? 'ssl' : undefined,
  })
  if (name !== undefined && address !== undefined) yield dnsRecordSighting({ name, type: 'A', value: address })
  if (textIn(row['product']) !== undefined) {
    yield technologySighting({ asset: `${hostAndPort(host, port)}/${protocol}`, host, askedName: name, port, name: row['product'], version: row['version'] })
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text)) yield* itemsOf(`line ${number}`, line, lineSightings)
}

function* lineSightings(line: string): Generator<Sighting> {
  const found = splitHostAndPort(line)
  if (found?.port === undefined) throw new Unusable('is no host:port')
  yield serviceSighting({ host: found.host, protocol: 'tcp', port: found.port })
}
