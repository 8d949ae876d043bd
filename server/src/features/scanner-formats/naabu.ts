import {
  canonicalAddress,
  canonicalName,
  canonicalPort,
  canonicalProtocol,
  hostAndPort,
  splitHostAndPort,
} from '../inventory/sightings/canonical.ts'
import {
  dnsRecordSighting,
  hostSighting,
  type Sighting,
  serviceSighting,
  InvalidSighting,
} from '../inventory/sightings/sightings.ts'
import { technologySighting } from '../inventory/sightings/web-sightings.ts'
import { ROW_TIMES } from './fields/stated-times.ts'
import { columnsIn, csvRecordItems } from './readers/csv-records.ts'
import { textLines } from './readers/lines.ts'
import { cdnIn, type Fields, itemsOf, recordItems, textIn } from './readers/records.ts'
import type { Format, Item } from './registry/format.ts'

const PLAIN_LINE = /^(?:\[[0-9a-fA-F:]{2,45}\]|[A-Za-z0-9._-]{1,253}):\d{1,5}$/

/** JSON rows and plain `host:port` lines of naabu. They give no coverage. */
export const naabu: Format = {
  id: 'naabu',
  name: 'naabu JSON lines, CSV and plain host:port',
  recognisedBy:
    'rows with port and ip or host, and no fields of other tools, also as CSV; lines such as "192.0.2.1:80"',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) =>
    (head.shape === 'json' && isRowOfNaabu(head.keys)) ||
    (head.shape === 'text' && (PLAIN_LINE.test(head.line) || isCsv(head.line))),
  read: (text, head) =>
    head.shape !== 'text'
      ? recordItems(text, rowSightings, FIELDS)
      : isCsv(head.line)
        ? csvRecordItems(text, rowSightings, { time: 'timestamp', known: FIELDS })
        : readLines(text),
}

/** Every field that any version of naabu writes with `-json` (`runner/output.go`). */
const FIELDS = new Set([
  'host',
  'ip',
  'port',
  'Port',
  'protocol',
  'tls',
  'TLS',
  'timestamp',
  'cdn',
  'cdn-name',
  'cdn_name',
  'mac_address',
  'name',
  'service',
  'product',
  'version',
  'extra_info',
  'extra-info',
  'cpes',
  'confidence',
  'device_type',
  'hostname',
  'low_version',
  'high_version',
  'method',
  'os_type',
  'os_fingerprint',
  'proto',
  'rpc_num',
  'service_fp',
  'tunnel',
])

/**
 * Many tools write a host and a port. A row is naabu's if it has only known fields, or fields that only naabu writes.
 */
const isRowOfNaabu = (keys: ReadonlySet<string>): boolean => {
  if (!keys.has('port') || !(keys.has('ip') || keys.has('host'))) return false
  const others = [...keys].filter((key) => !key.includes('.') && !FIELDS.has(key))
  return others.length === 0 || (keys.has('protocol') && keys.has('tls') && others.length < 3)
}

/** The columns of `-csv`. */
const isCsv = (line: string): boolean =>
  ['host', 'ip', 'port', 'protocol'].every((name) => columnsIn(line).has(name)) && isRowOfNaabu(columnsIn(line))

function* rowSightings(row: Fields): Generator<Sighting> {
  const [writtenHost, writtenAddress] = [textIn(row['host']), textIn(row['ip'])]
  const address = writtenAddress === undefined ? undefined : canonicalAddress(writtenAddress)
  if (writtenAddress !== undefined && address === undefined) throw new InvalidSighting('ip is not an IP address')
  const name = writtenHost === undefined ? undefined : canonicalName(writtenHost)
  const host = address ?? (writtenHost === undefined ? undefined : (canonicalAddress(writtenHost) ?? name))
  if (host === undefined) throw new InvalidSighting('neither ip nor host is an address or a name')
  const protocol = canonicalProtocol(textIn(row['protocol']))
  const written =
    typeof row['port'] === 'object' && row['port'] !== null ? (row['port'] as Fields)['Port'] : row['port']
  // Host discovery (`-sn`) probes no port.
  if (Number(written) === 0) {
    yield hostSighting({ host, askedName: name, up: true, mac: row['mac_address'], os: row['os_type'] })
    if (name !== undefined && address !== undefined) yield dnsRecordSighting({ name, type: 'A', value: address })
    return
  }
  const port = canonicalPort(written)
  if (protocol === undefined || port === undefined) throw new InvalidSighting('port must be from 1 to 65535')
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
    deviceType: row['device_type'],
    hostname: row['hostname'],
    os: row['os_type'],
    tunnel: row['tls'] === true ? 'ssl' : row['tunnel'],
  })
  if (name !== undefined && address !== undefined) yield dnsRecordSighting({ name, type: 'A', value: address })
  if (row['mac_address'] !== undefined || row['os_type'] !== undefined) {
    yield hostSighting({ host, askedName: name, up: true, mac: row['mac_address'], os: row['os_type'] })
  }
  if (textIn(row['product']) !== undefined) {
    yield technologySighting({
      asset: `${hostAndPort(host, port)}/${protocol}`,
      host,
      askedName: name,
      port,
      name: row['product'],
      version: row['version'],
    })
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text)) yield* itemsOf(`line ${number}`, line, lineSightings)
}

function* lineSightings(line: string): Generator<Sighting> {
  const found = splitHostAndPort(line)
  if (found?.port === undefined) throw new InvalidSighting('is not host:port')
  yield serviceSighting({ host: found.host, protocol: 'tcp', port: found.port })
}
