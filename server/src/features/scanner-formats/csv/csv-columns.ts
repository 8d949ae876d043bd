import { cleanNumber } from '../../inventory/sightings/clean.ts'
import type { Severity } from '../../inventory/sightings/severities.ts'
import { saysDead } from '../nessus.ts'
import { weightOf } from '../openvas/openvas.ts'

/** Returns the cell of a column, by its lower-case name; undefined if it is empty. */
export type Cell = (column: string) => string | undefined

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

/** Columns that may hold each field; the first non-empty one wins. */
export type Columns = Partial<Record<MappedField, readonly string[]>>

export interface KnownLayout {
  tool: string
  isIn(columns: readonly string[]): boolean
  columns: Columns
  /** Columns with the name by which the host was contacted. */
  names?: readonly string[]
  /** Returns why a row is not a finding, as a clause; undefined if it is one. */
  notFinding?(cell: Cell): string | undefined
  /** True if the check of this row passed: its known finding is fixed. */
  isPassed?(cell: Cell): boolean
  /** Meaning of numbers in the severity column. */
  levels?: ReadonlyMap<string, Severity>
  /** The program's XML reports only host and port as the place of a finding. */
  hasPlainPlaces?: boolean
}

const NO_FINDING_OF_TESTSSL = new Map(
  Object.entries({
    OK: 'a check passed',
    INFO: 'they only inform',
    DEBUG: 'they only inform',
    WARN: 'a check could not be made',
    FATAL: 'a check could not be made',
  }),
)

export const KNOWN_LAYOUTS: readonly KnownLayout[] = [
  {
    tool: 'openvas',
    isIn: (columns) => columns.includes('nvt oid'),
    names: ['hostname'],
    notFinding: (cell) =>
      weightOf(cleanNumber(cell('cvss')), cell('severity')) ? undefined : 'the scanner speaks of itself',
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
    notFinding: (cell) =>
      saysDead(cell('plugin') ?? cell('plugin id') ?? cell('definition.id'), cell('plugin output') ?? cell('output'))
        ? 'a host does not answer'
        : undefined,
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
    columns: {
      title: ['id'],
      severity: ['severity'],
      host: ['fqdn/ip'],
      port: ['port'],
      rule: ['id'],
      description: ['finding'],
      cve: ['cve'],
      cwe: ['cwe'],
    },
    notFinding: (cell) => NO_FINDING_OF_TESTSSL.get(cell('severity') ?? ''),
    isPassed: (cell) => cell('severity') === 'OK',
  },
  {
    tool: 'qualys',
    isIn: (columns) => columns.includes('qid') && columns.includes('title'),
    names: ['dns', 'fqdn'],
    hasPlainPlaces: true,
    // Qualys calls these minimal, medium, serious, critical and urgent.
    levels: new Map(Object.entries({ '1': 'info', '2': 'low', '3': 'medium', '4': 'high', '5': 'critical' })),
    columns: {
      title: ['title'],
      severity: ['severity'],
      host: ['ip', 'dns'],
      port: ['port'],
      protocol: ['protocol'],
      rule: ['qid'],
      description: ['threat', 'impact'],
      solution: ['solution'],
      references: ['vendor reference'],
      cve: ['cve id'],
      cvss: ['cvss3.1 base', 'cvss3 base', 'cvss base'],
      evidence: ['results'],
    },
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
