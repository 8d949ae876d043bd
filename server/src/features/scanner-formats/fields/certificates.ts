import { canonicalAddress, canonicalHost, canonicalName, canonicalPort } from '../../inventory/sightings/canonical.ts'
import { versionOfTls } from '../../inventory/sightings/certificate-facts.ts'
import { cleanLines, cleanTime } from '../../inventory/sightings/clean.ts'
import { requireHost, type Sighting, InvalidSighting } from '../../inventory/sightings/sightings.ts'
import { certificateSighting } from '../../inventory/sightings/web-sightings.ts'
import { type Fields, listOf, objectOf, textIn } from '../readers/records.ts'
import type { Item } from '../registry/format.ts'
import { probeIn } from './probes.ts'

/**
 * Reads the certificate data of tlsx, standalone or inside a row of httpx. If `host` is a name, it is the requested
 * name, and a known address is where the certificate was seen. A failed probe counts as sent.
 */
export function* certificateItems(row: Fields): Generator<Sighting | Item> {
  if (row['probe_status'] === false) {
    yield* probeIn(row, { host: textIn(row['host']), address: textIn(row['ip']), port: row['port'] })
    return
  }
  yield certificateIn(row)
  for (const name of cleanLines(row['subject_an']).list) {
    const host = canonicalHost(name)
    if (host !== undefined) yield { type: 'mention', host }
  }
}

/** `TLSv1: TLS_RSA_WITH_3DES_EDE_CBC_SHA (weak)`, from lists by version and strength. */
const ciphersIn = (row: Fields): string[] =>
  listOf(row['cipher_enum'])
    .map(objectOf)
    .flatMap(({ version, ciphers }) =>
      Object.entries(objectOf(ciphers)).flatMap(([strength, names]) =>
        listOf(names).map((name) => `${versionOfTls(textIn(version) ?? '')}: ${textIn(name) ?? ''} (${strength})`),
      ),
    )

const certificateIn = (row: Fields): Sighting => {
  const stated = requireHost(row['host'])
  const port = canonicalPort(row['port'])
  if (port === undefined) throw new InvalidSighting('port must be from 1 to 65535')
  const enumerated = listOf(row['version_enum']).map(textIn)
  const versions = [textIn(row['tls_version']), ...enumerated].filter((version) => version !== undefined)
  const askedName = canonicalAddress(stated) === undefined ? stated : undefined
  return certificateSighting({
    host: stated,
    address: canonicalAddress(textIn(row['ip']) ?? ''),
    askedName,
    port,
    serverName: textIn(row['sni']) ?? canonicalName(stated),
    sha256: objectOf(row['fingerprint_hash'])['sha256'],
    subject: row['subject_dn'] ?? row['subject_cn'],
    issuer: row['issuer_dn'] ?? row['issuer_cn'],
    names: row['subject_an'],
    notBefore: cleanTime(row['not_before']),
    notAfter: cleanTime(row['not_after']),
    serial: row['serial'],
    // tlsx omits false values.
    selfSigned: row['self_signed'] === true,
    // For an address, `mismatched` only means that no name in the certificate equals the address.
    mismatched: askedName === undefined ? undefined : row['mismatched'] === true,
    chain: listOf(row['chain'])
      .filter((signer) => signer !== null)
      .map(objectOf)
      .map((signer) => signer['subject_dn'] ?? signer['subject_cn']),
    versions,
    cipher: row['cipher'],
    ciphers: ciphersIn(row),
    revoked: row['revoked'] === true || undefined,
    untrusted: row['untrusted'] === true || undefined,
    clientCertificate: row['client_cert_required'] === true || undefined,
    jarm: row['jarm_hash'],
    parts: enumerated.length > 0 ? ['names'] : ['names', 'versions'],
  })
}
