import type { Severity } from '@sortie/contract/core/values.ts'
import { canonicalHost } from '../../inventory/sightings/canonical.ts'
import { cleanNumber, cleanTime } from '../../inventory/sightings/clean.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { certificateSighting } from '../../inventory/sightings/web-sightings.ts'
import { PassedChecks } from '../fields/passed-checks.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'
import { oldVersions, type TlsPlace, tlsFinding, tlsPlace, tlsService } from './tls-probes.ts'

/** JSON of sslyze (`--json_out`), version 3 and later. */
export const sslyze: Format = {
  id: 'sslyze',
  name: 'sslyze JSON',
  recognisedBy: 'JSON with server_scan_results',
  knowsCoverage: false,
  statedTimes: () => ({
    patterns: [
      /"date_scans_started"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g,
      /"date_scans_completed"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g,
    ],
  }),
  isIn: (head) => head.shape === 'json' && (head.keys.has('server_scan_results') || head.keys.has('sslyze_version')),
  read: readSslyze,
}

/** Scan commands whose results are read. */
const READ = new Set(
  `certificate_info ssl_2_0_cipher_suites ssl_3_0_cipher_suites tls_1_0_cipher_suites tls_1_1_cipher_suites tls_1_2_cipher_suites
  tls_1_3_cipher_suites heartbleed openssl_ccs_injection robot tls_compression session_renegotiation`.split(/\s+/),
)

async function* readSslyze(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unread = new UnknownFields(READ)
  let failed = 0
  let failedChecks = 0
  const passed = new PassedChecks()
  for await (const part of documentParts(text, ['server_scan_results.*', 'sslyze_version'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'sslyze_version') yield { type: 'tool', version: textIn(part.value) }
    else {
      const server = objectOf(part.value)
      unread.count(Object.fromEntries(Object.entries(resultIn(server)).filter(([, check]) => hasRun(check))))
      failedChecks += Object.values(resultIn(server)).filter((check) => objectOf(check)['status'] === 'ERROR').length
      if (Object.keys(resultIn(server)).length === 0) failed++
      else yield* passed.watch(itemsOf(part.position, server, serverItems))
    }
  }
  yield* passed.warnings()
  yield* unread.warnings()
  if (failedChecks > 0) yield { type: 'warning', text: `Checks of sslyze that failed: ${failedChecks}.` }
  if (failed > 0) yield { type: 'warning', text: `Servers that sslyze could not connect to: ${failed}.` }
}

const hasRun = (check: unknown): boolean => check !== null && objectOf(check)['status'] !== 'NOT_SCHEDULED'

/** Keys of the results of each version. */
const VERSIONS = new Map(
  Object.entries({
    ssl_2_0_cipher_suites: 'SSLv2',
    ssl_3_0_cipher_suites: 'SSLv3',
    tls_1_0_cipher_suites: 'TLSv1.0',
    tls_1_1_cipher_suites: 'TLSv1.1',
    tls_1_2_cipher_suites: 'TLSv1.2',
    tls_1_3_cipher_suites: 'TLSv1.3',
  }),
)

/** Before version 5 the results were in `scan_commands_results`, without a status. */
const resultIn = (server: Fields): Fields => objectOf(server['scan_result'] ?? server['scan_commands_results'])

function* serverItems(server: Fields): Generator<Sighting | Item> {
  const info = objectOf(server['server_info'])
  const location = objectOf(server['server_location'] ?? info['server_location'])
  const place = tlsPlace(location['hostname'], location['ip_address'], location['port'])
  const result = resultIn(server)
  const of = (name: string) =>
    'status' in objectOf(result[name]) ? objectOf(objectOf(result[name])['result']) : objectOf(result[name])
  const tried = [...VERSIONS].filter(([key]) => Array.isArray(of(key)['accepted_cipher_suites']))
  const accepted = tried.flatMap(([key, version]) =>
    listOf(of(key)['accepted_cipher_suites'])
      .map((accepts) => objectOf(objectOf(accepts)['cipher_suite']))
      .flatMap((suite) => {
        const name = textIn(suite['name'])
        return name === undefined ? [] : [{ version, line: `${version}: ${name}${strengthIn(suite)}` }]
      }),
  )
  const versions = [...new Set(accepted.map(({ version }) => version))]
  yield tlsService(
    place,
    accepted.map(({ line }) => line),
    versions,
  )
  const asked = textIn(objectOf(server['connectivity_result'] ?? info['tls_probing_result'])['client_auth_requirement'])
  yield* certificates(of('certificate_info'), place, versions, /^(?:REQUIRED|OPTIONAL)$/.test(asked ?? ''))
  yield* oldVersions(
    'sslyze',
    place,
    versions,
    tried.map(([, version]) => version),
  )
  for (const { scan, field, isBad, ruleId, title, severity, cve } of CHECKS) {
    const value = of(scan)[field]
    const passed = isBad(value) === false
    if (isBad(value) !== undefined) yield tlsFinding('sslyze', place, ruleId, title, severity, { cve, passed })
  }
}

/** ` (128 bits, anonymous)` */
const strengthIn = (suite: Fields): string => {
  const bits = cleanNumber(suite['key_size'])
  const words = [bits !== undefined && `${bits} bits`, suite['is_anonymous'] === true && 'anonymous'].filter(Boolean)
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

interface Check {
  scan: string
  field: string
  /** Undefined for a value that says nothing. */
  isBad(value: unknown): boolean | undefined
  ruleId: string
  title: string
  severity: Severity
  cve: string
}

const isTrue = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
const isFalse = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? !value : undefined)
const isOracle = (value: unknown): boolean | undefined =>
  typeof value !== 'string' || !/VULNERABLE/.test(value) ? undefined : /^VULNERABLE_(?:WEAK|STRONG)/.test(value)

const CHECKS: readonly Check[] = [
  {
    scan: 'heartbleed',
    field: 'is_vulnerable_to_heartbleed',
    isBad: isTrue,
    ruleId: 'heartbleed',
    title: 'Heartbleed',
    severity: 'critical',
    cve: 'CVE-2014-0160',
  },
  {
    scan: 'openssl_ccs_injection',
    field: 'is_vulnerable_to_ccs_injection',
    isBad: isTrue,
    ruleId: 'CCS',
    title: 'OpenSSL CCS injection',
    severity: 'high',
    cve: 'CVE-2014-0224',
  },
  {
    scan: 'robot',
    field: 'robot_result',
    isBad: isOracle,
    ruleId: 'ROBOT',
    title: 'ROBOT: Bleichenbacher oracle',
    severity: 'critical',
    cve: 'CVE-2017-17382',
  },
  {
    scan: 'tls_compression',
    field: 'supports_compression',
    isBad: isTrue,
    ruleId: 'CRIME_TLS',
    title: 'TLS compression is offered (CRIME)',
    severity: 'high',
    cve: 'CVE-2012-4929',
  },
  {
    scan: 'session_renegotiation',
    field: 'is_vulnerable_to_client_renegotiation_dos',
    isBad: isTrue,
    ruleId: 'secure_client_renego',
    title: 'Clients may renegotiate without limit',
    severity: 'medium',
    cve: 'CVE-2011-1473',
  },
  {
    scan: 'session_renegotiation',
    field: 'supports_secure_renegotiation',
    isBad: isFalse,
    ruleId: 'secure_renego',
    title: 'Secure renegotiation is not supported',
    severity: 'high',
    cve: 'CVE-2009-3555',
  },
]

function* certificates(
  info: Fields,
  place: TlsPlace,
  versions: readonly string[],
  clientCertificate: boolean,
): Generator<Sighting | Item> {
  for (const deployment of listOf(info['certificate_deployments']).map(objectOf)) {
    const chain = listOf(deployment['received_certificate_chain']).map(objectOf)
    const [leaf] = chain
    if (!leaf) continue
    const alternatives = objectOf(leaf['subject_alternative_name'])
    const names = [...listOf(alternatives['dns_names'] ?? alternatives['dns']), ...listOf(alternatives['ip_addresses'])]
    yield* itemsOf('', leaf, () => [
      certificateSighting({
        ...place,
        host: place.askedName ?? place.host,
        address: place.askedName === undefined ? undefined : place.host,
        serverName: place.askedName,
        sha256: sha256In(leaf['fingerprint_sha256']),
        subject: nameIn(leaf['subject']),
        issuer: nameIn(leaf['issuer']),
        names,
        notBefore: cleanTime(leaf['not_valid_before']),
        notAfter: cleanTime(leaf['not_valid_after']),
        serial: leaf['serial_number'],
        chain: chain.slice(1).map((signer) => nameIn(signer['subject'])),
        untrusted: deployment['verified_certificate_chain'] === null || undefined,
        mismatched: deployment['leaf_certificate_subject_matches_hostname'] === false || undefined,
        revoked: isRevoked(deployment) || undefined,
        clientCertificate: clientCertificate || undefined,
        versions,
        parts: ['names'],
      }),
    ])
    for (const name of names) {
      const host = canonicalHost(textIn(name) ?? '')
      if (host !== undefined) yield { type: 'mention', host }
    }
  }
}

/** By the stapled answer of the issuer. */
const isRevoked = (deployment: Fields): boolean =>
  /revoked/i.test(textIn(objectOf(deployment['ocsp_response'])['certificate_status']) ?? '')

const nameIn = (name: unknown): string | undefined => textIn(objectOf(name)['rfc4514_string'])

/** Hexadecimal, or Base64 in some versions. */
const sha256In = (written: unknown): string | undefined => {
  const text = textIn(written)
  return text === undefined || /^[0-9a-f]{64}$/i.test(text) ? text : Buffer.from(text, 'base64').toString('hex')
}
