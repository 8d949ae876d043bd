import { cleanTime } from '../../inventory/sightings/clean.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { certificateSighting } from '../../inventory/sightings/web-sightings.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'
import { oldVersions, type TlsPlace, tlsFinding, tlsPlace, tlsService } from './tls-probes.ts'

/** JSON of sslyze (`--json_out`), version 5 and later. */
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

async function* readSslyze(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let failed = 0
  for await (const part of documentParts(text, ['server_scan_results.*', 'sslyze_version'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'sslyze_version') yield { type: 'tool', version: textIn(part.value) }
    else {
      const server = objectOf(part.value)
      if (Object.keys(objectOf(server['scan_result'])).length === 0) failed++
      else yield* itemsOf(part.position, server, serverItems)
    }
  }
  if (failed > 0) yield { type: 'warning', text: `Servers that sslyze could not connect to: ${failed}.` }
}

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

function* serverItems(server: Fields): Generator<Sighting | Item> {
  const location = objectOf(server['server_location'])
  const place = tlsPlace(location['hostname'], location['ip_address'], location['port'])
  const result = objectOf(server['scan_result'])
  const of = (name: string) => objectOf(objectOf(result[name])['result'])
  const accepted = [...VERSIONS].flatMap(([key, version]) => {
    const suites = listOf(of(key)['accepted_cipher_suites']).map(
      (suite) => textIn(objectOf(objectOf(suite)['cipher_suite'])['name']) ?? '',
    )
    return suites.filter(Boolean).map((suite) => ({ version, suite }))
  })
  const versions = [...new Set(accepted.map(({ version }) => version))]
  yield tlsService(
    place,
    accepted.map(({ version, suite }) => `${version}: ${suite}`),
    versions,
  )
  yield* certificates(of('certificate_info'), place, versions)
  yield* oldVersions('sslyze', place, versions)
  if (of('heartbleed')['is_vulnerable_to_heartbleed'] === true)
    yield tlsFinding('sslyze', place, 'heartbleed', 'Heartbleed', 'critical', { cve: 'CVE-2014-0160' })
  if (of('openssl_ccs_injection')['is_vulnerable_to_ccs_injection'] === true)
    yield tlsFinding('sslyze', place, 'CCS', 'OpenSSL CCS injection', 'high', { cve: 'CVE-2014-0224' })
  if (/^VULNERABLE_(?:WEAK|STRONG)/.test(textIn(of('robot')['robot_result']) ?? ''))
    yield tlsFinding('sslyze', place, 'ROBOT', 'ROBOT: Bleichenbacher oracle', 'critical', { cve: 'CVE-2017-17382' })
  if (of('tls_compression')['supports_compression'] === true)
    yield tlsFinding('sslyze', place, 'CRIME_TLS', 'TLS compression is offered (CRIME)', 'high', {
      cve: 'CVE-2012-4929',
    })
  if (of('session_renegotiation')['is_vulnerable_to_client_renegotiation_dos'] === true)
    yield tlsFinding('sslyze', place, 'secure_client_renego', 'Clients may renegotiate without limit', 'medium', {
      cve: 'CVE-2011-1473',
    })
  if (of('session_renegotiation')['supports_secure_renegotiation'] === false)
    yield tlsFinding('sslyze', place, 'secure_renego', 'Secure renegotiation is not supported', 'high', {
      cve: 'CVE-2009-3555',
    })
}

function* certificates(info: Fields, place: TlsPlace, versions: readonly string[]): Generator<Sighting | Item> {
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
        versions,
        parts: ['names'],
      }),
    ])
  }
}

const nameIn = (name: unknown): string | undefined => textIn(objectOf(name)['rfc4514_string'])

/** Hexadecimal, or Base64 in some versions. */
const sha256In = (written: unknown): string | undefined => {
  const text = textIn(written)
  return text === undefined || /^[0-9a-f]{64}$/i.test(text) ? text : Buffer.from(text, 'base64').toString('hex')
}
