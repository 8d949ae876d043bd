import { severityOfScore } from '@sortie/contract/cvss.ts'
import { canonicalHost, canonicalName, canonicalPort, canonicalProtocol, canonicalUrl, hostAndPort } from '../../results/canonical.ts'
import { cleanNumber } from '../../results/clean.ts'
import { vulnerabilitySighting } from '../../results/finding-sightings.ts'
import { severityOf } from '../../results/severities.ts'
import { type Sighting, Unusable } from '../../results/sightings.ts'
import { UnreadableFile } from './format.ts'
import { saysDead } from './nessus.ts'
import { weightOf } from './openvas.ts'
import { type Place, placeOf } from './places.ts'

/** The cell of a column, by its name in lower case; undefined for an empty one. */
export type Cell = (column: string) => string | undefined

/** What a row of a CSV says. */
export interface Layout {
  /** Whose columns these are. */
  tool: string
  read(cell: Cell): Iterable<Sighting>
}

/** Fields to which columns can be mapped. */
export const MAPPED_FIELDS = [
  'title',
  'severity',
  'host',
  'port',
  'protocol',
  'url',
  'rule',
  'description',
  'solution',
  'references',
  'cve',
  'cwe',
  'cvss',
  'evidence',
] as const
export type MappedField = (typeof MAPPED_FIELDS)[number]
type Field = (name: MappedField) => string | undefined

/** For each field, the columns that may hold it: the first that is not empty counts. */
type Columns = Partial<Record<MappedField, readonly string[]>>

interface Known {
  tool: string
  isIn(columns: readonly string[]): boolean
  columns: Columns
  /** Columns with the name by which the host was asked. */
  names?: readonly string[]
  isFinding?(cell: Cell): boolean
  /** The program has an XML as well, in which a finding has no place but its host and port. */
  hasPlainPlaces?: boolean
}

const KNOWN: readonly Known[] = [
  {
    tool: 'openvas',
    isIn: (columns) => columns.includes('nvt oid'),
    names: ['hostname'],
    isFinding: (cell) => weightOf(cleanNumber(cell('cvss')), cell('severity')) !== undefined,
    hasPlainPlaces: true,
    columns: {
      title: ['nvt name', 'summary'],
      severity: ['severity'],
      host: ['ip', 'hostname'],
      port: ['port'],
      protocol: ['port protocol'],
      rule: ['nvt oid'],
      description: ['summary'],
      solution: ['solution'],
      references: ['other references'],
      cve: ['cves'],
      cvss: ['cvss'],
      evidence: ['specific result'],
    },
  },
  {
    tool: 'nessus',
    isIn: (columns) => ['plugin', 'plugin id', 'definition.id'].some((name) => columns.includes(name)),
    names: ['dns name', 'fqdn'],
    isFinding: (cell) => !saysDead(cell('plugin') ?? cell('plugin id') ?? cell('definition.id'), cell('plugin output') ?? cell('output')),
    hasPlainPlaces: true,
    columns: {
      title: ['plugin name', 'name', 'definition.name'],
      severity: ['severity', 'risk', 'risk factor'],
      host: ['ip address', 'host', 'asset.display_ipv4_address', 'dns name', 'asset.name'],
      port: ['port'],
      protocol: ['protocol'],
      rule: ['plugin', 'plugin id', 'definition.id'],
      description: ['description', 'synopsis', 'definition.description', 'definition.synopsis'],
      solution: ['solution', 'definition.solution'],
      references: ['see also', 'definition.see_also'],
      cve: ['cve', 'definition.cve'],
      cvss: ['cvss v3 base score', 'cvss v3.0 base score', 'definition.cvss3.base_score'],
      evidence: ['plugin output', 'output'],
    },
  },
  {
    tool: 'testssl',
    isIn: (columns) => columns.includes('fqdn/ip'),
    columns: { title: ['id'], severity: ['severity'], host: ['fqdn/ip'], port: ['port'], rule: ['id'], description: ['finding'], cve: ['cve'], cwe: ['cwe'] },
    isFinding: (cell) => !['OK', 'INFO'].includes(cell('severity') ?? ''),
  },
  {
    tool: 'csv',
    isIn: (columns) => columns.includes('title') && columns.includes('severity'),
    columns: {
      title: ['title'],
      severity: ['severity'],
      host: ['host', 'ip', 'asset'],
      port: ['port'],
      protocol: ['protocol'],
      url: ['url', 'endpoint', 'location'],
      rule: ['vulnerability id', 'rule'],
      description: ['description'],
      solution: ['mitigation', 'solution', 'remediation'],
      references: ['references'],
      cve: ['cve', 'vulnerability id'],
      cwe: ['cweid', 'cwe'],
      cvss: ['cvss', 'cvss score'],
      evidence: ['evidence'],
    },
  },
]

/**
 * How the rows of a CSV are read: as `mapping` says (column to field), or as the columns tell.
 *
 * @throws UnreadableFile that names the columns, where neither says it
 */
export const layoutOf = (columns: readonly string[], mapping: Readonly<Record<string, string>>): Layout => {
  const known: Known | undefined =
    Object.keys(mapping).length > 0 ? { tool: 'csv', isIn: () => true, columns: mappedColumns(columns, mapping) } : KNOWN.find((layout) => layout.isIn(columns))
  if (!known) {
    throw new UnreadableFile(
      `the columns are not known: ${columns.slice(0, 20).join(', ')}. Say what they are with mapping=column:field,... where a field is one of ${MAPPED_FIELDS.join(', ')}`,
    )
  }
  const { tool, isFinding = () => true, names = [], hasPlainPlaces = false } = known
  return {
    tool,
    *read(cell) {
      const field = (name: MappedField) => known.columns[name]?.map((column) => cell(column)).find((value) => value !== undefined)
      if (!isFinding(cell)) return
      const place = placeIn(field)
      const askedName = names.map((column) => canonicalName(cell(column) ?? '')).find((name) => name !== undefined) ?? place.askedName
      const isPlain = hasPlainPlaces && canonicalUrl(place.location) === undefined
      yield finding(tool, field, { ...place, askedName, location: isPlain ? undefined : place.location })
    },
  }
}

const mappedColumns = (columns: readonly string[], mapping: Readonly<Record<string, string>>): Columns => {
  const found: Partial<Record<MappedField, string[]>> = {}
  for (const [written, field] of Object.entries(mapping)) {
    const column = written.trim().toLowerCase()
    if (!columns.includes(column)) throw new UnreadableFile(`mapping: the file has no column ${column}; its columns are ${columns.slice(0, 20).join(', ')}`)
    found[field as MappedField] = [...(found[field as MappedField] ?? []), column]
  }
  if (!found.title) throw new UnreadableFile('mapping: no column is mapped to title')
  return found
}

const finding = (tool: string, field: Field, place: Omit<Place, 'location'> & { location: string | undefined }): Sighting => {
  const score = cleanNumber(field('cvss'))
  const word = severityOf(field('severity'))
  return vulnerabilitySighting({
    tool,
    ruleId: field('rule') ?? field('title') ?? 'unnamed',
    ...place,
    title: field('title') ?? field('rule') ?? 'Finding without a name',
    severity: word ?? (field('severity') === undefined && score !== undefined ? severityOfScore(score) : null),
    ...(tool === 'openvas' && weightOf(score, field('severity'))),
    description: field('description'),
    solution: field('solution'),
    references: field('references'),
    cve: field('cve'),
    cwe: field('cwe'),
    cvssScore: score,
    evidence: [field('evidence')],
  })
}

/** A URL, a host with a port, or what people write there: `www.example.com/path`, `name/address`. */
const placeIn = (field: Field): Place => {
  const port = canonicalPort(field('port'))
  const protocol = canonicalProtocol(field('protocol')) ?? 'tcp'
  const written = field('url') ?? field('host')
  if (written === undefined) throw new Unusable('the row names no host')
  const place = placeOf(written, port, protocol)
  if (place) return place
  // testssl writes name/address, either of which may be missing.
  const [name = '', rest = ''] = written.split('/', 2)
  const [host, address] = [placeOf(name, port, protocol), canonicalHost(rest)]
  if (!host) throw new Unusable('the row names no host')
  if (field('host') === undefined || address === undefined) return { ...host, location: written }
  const asset = port === undefined ? address : `${hostAndPort(address, port)}/${protocol}`
  return { ...host, host: address, asset, location: asset }
}
