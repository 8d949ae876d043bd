import type { Severity } from '@sortie/contract/core/values.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
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
  'status',
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
  /** True if someone has accepted the finding of this row in the tool. */
  isAccepted?(cell: Cell): boolean
  /** True if someone has marked the finding of this row as a false positive in the tool. */
  isFalsePositive?(cell: Cell): boolean
  /** True if the row only informs, whatever its level. */
  isInformation?(cell: Cell): boolean
  /** Meaning of numbers in the severity column. */
  levels?: ReadonlyMap<string, Severity>
  /** Its places are never hosts, such as names of cloud resources. */
  isPlaceless?: boolean
  /** Further columns that are kept, with the names of their fields. */
  more?: Readonly<Record<string, string>>
  /** Columns that decide something and are not kept. */
  other?: readonly string[]
  /** The program's XML reports only host and port as the place of a finding. */
  hasPlainPlaces?: boolean
}

/** Qualys calls these minimal, medium, serious, critical and urgent. */
export const LEVELS_OF_QUALYS: ReadonlyMap<string, Severity> = new Map(
  Object.entries({ '1': 'info', '2': 'low', '3': 'medium', '4': 'high', '5': 'critical' } as const),
)

/** `Ig` or `Info`: what Qualys gathered, such as open ports. */
export const isInformationOfQualys = (type: string | undefined): boolean => /^(?:ig|info)/i.test(type ?? '')

/** A flag, as DefectDojo and people write it. */
const isYes = (written: string | undefined): boolean => /^(?:true|yes|ja|oui|x|1)$/i.test(written ?? '')

const TITLES = [
  'title',
  'titel',
  'titre',
  'título',
  'finding',
  'vulnerability',
  'schwachstelle',
  'vulnérabilité',
  'name',
  'issue',
]
const HOSTS = [
  'host',
  'ip',
  'asset',
  'hostname',
  'ip address',
  'target',
  'system',
  'ip-adresse',
  'hôte',
  'actif',
  'activo',
  'url',
  'endpoint',
]
const SEVERITY_NAMES = [
  'severity',
  'schweregrad',
  'risk',
  'risiko',
  'kritikalität',
  'criticality',
  'gravité',
  'criticité',
  'severidad',
  'riesgo',
]

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
      weightOf(cleanNumber(cell('cvss')), cell('severity')) ? undefined : 'the scanner reports about itself',
    hasPlainPlaces: true,
    more: {
      impact: 'impact',
      'affected software/os': 'affected',
      'vulnerability insight': 'insight',
      'vulnerability detection method': 'detection',
      'solution type': 'solutionType',
      certs: 'certs',
      'max severity epss score': 'epss',
    },
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
    more: { synopsis: 'synopsis', 'definition.synopsis': 'synopsis' },
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
      cvss: [
        'cvss v4.0 base score',
        'cvss v3 base score',
        'cvss v3.0 base score',
        'definition.cvss3.base_score',
        'cvss v2 base score',
        'cvss v2.0 base score',
        'cvss base score',
        'cvss',
        'definition.cvss2.base_score',
      ],
      evidence: ['plugin output', 'plugin text', 'output'],
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
    levels: LEVELS_OF_QUALYS,
    more: { impact: 'impact' },
    isInformation: (cell) => isInformationOfQualys(cell('type')),
    columns: {
      title: ['title'],
      severity: ['severity'],
      host: ['ip', 'dns'],
      port: ['port'],
      protocol: ['protocol'],
      rule: ['qid'],
      description: ['threat'],
      solution: ['solution'],
      references: ['vendor reference'],
      cve: ['cve id'],
      cvss: ['cvss3.1 base', 'cvss3 base', 'cvss base'],
      evidence: ['results'],
    },
  },
  {
    tool: 'prowler',
    isIn: (columns) => ['check_id', 'status', 'severity'].every((name) => columns.includes(name)),
    isPlaceless: true,
    isAccepted: (cell) => cell('muted')?.toLowerCase() === 'true',
    notFinding: (cell) => {
      const status = (cell('status') ?? 'FAIL').toUpperCase()
      return status === 'FAIL'
        ? undefined
        : status === 'PASS'
          ? 'a check passed'
          : `their status is ${status.slice(0, 40)}`
    },
    isPassed: (cell) => cell('status')?.toUpperCase() === 'PASS',
    more: {
      provider: 'provider',
      account_uid: 'account',
      account_id: 'account',
      region: 'region',
      service_name: 'service',
      resource_type: 'resourceType',
      resource_name: 'resourceName',
      risk: 'impact',
      compliance: 'compliance',
    },
    other: ['status', 'muted', 'finding_uid', 'auth_method', 'timestamp'],
    columns: {
      title: ['check_title', 'check_id'],
      severity: ['severity'],
      host: ['resource_uid', 'resource_id', 'resource_arn', 'account_uid', 'account_id'],
      rule: ['check_id'],
      description: ['status_extended', 'description'],
      solution: ['remediation_recommendation_text'],
      references: ['remediation_recommendation_url', 'related_url'],
    },
  },
  {
    // Prowler 2.
    tool: 'prowler',
    isIn: (columns) => ['title_text', 'check_result', 'check_severity'].every((name) => columns.includes(name)),
    isPlaceless: true,
    notFinding: (cell) => {
      const result = (cell('check_result') ?? 'FAIL').toUpperCase()
      return result === 'FAIL'
        ? undefined
        : result === 'PASS'
          ? 'a check passed'
          : `their result is ${result.slice(0, 40)}`
    },
    isPassed: (cell) => cell('check_result')?.toUpperCase() === 'PASS',
    more: { account_num: 'account', region: 'region', check_risk: 'impact', check_servicename: 'service' },
    other: ['check_result'],
    columns: {
      title: ['title_text'],
      severity: ['check_severity'],
      host: ['check_resource_id', 'account_num'],
      rule: ['title_id'],
      description: ['check_result_extended'],
      solution: ['check_remediation'],
      references: ['check_doc'],
    },
  },
  {
    tool: 'csv',
    // The words of lists that people keep, in English, German, French and Spanish.
    // Without a place, only the plain words count: others may mean anything.
    isIn: (columns) => {
      const has = (names: readonly string[]) => names.some((name) => columns.includes(name))
      return (
        (columns.includes('title') && columns.includes('severity')) ||
        (has(TITLES) && has(SEVERITY_NAMES) && has(HOSTS))
      )
    },
    isFalsePositive: (cell) => isYes(cell('falsepositive') ?? cell('false_positive') ?? cell('false positive')),
    isAccepted: (cell) => isYes(cell('risk_accepted') ?? cell('risk accepted')),
    more: { impact: 'impact', auswirkung: 'impact', impacto: 'impact', epss_score: 'epss' },
    columns: {
      title: TITLES,
      severity: SEVERITY_NAMES,
      host: HOSTS,
      port: ['port', 'puerto'],
      protocol: ['protocol', 'protokoll', 'protocole'],
      url: ['url', 'endpoint', 'location', 'ort'],
      rule: ['vulnerability id', 'rule'],
      status: ['status', 'state', 'zustand', 'statut', 'estado'],
      description: ['description', 'beschreibung', 'descripción', 'details'],
      solution: [
        'mitigation',
        'solution',
        'remediation',
        'recommendation',
        'maßnahme',
        'empfehlung',
        'lösung',
        'recommandation',
        'recomendación',
      ],
      references: ['references', 'referenzen', 'références'],
      cve: ['cve', 'vulnerability id'],
      cwe: ['cweid', 'cwe'],
      cvss: ['cvss', 'cvss score', 'cvss-score', 'cvssv3_score'],
      evidence: ['evidence', 'nachweis', 'preuve', 'proof of concept'],
    },
  },
]
