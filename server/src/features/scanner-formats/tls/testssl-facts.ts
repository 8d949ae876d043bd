import { canonicalAddress, canonicalHost, canonicalPort } from '../../inventory/sightings/canonical.ts'
import { cleanTime } from '../../inventory/sightings/clean.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { certificateSighting } from '../../inventory/sightings/web-sightings.ts'
import { itemsOf } from '../readers/records.ts'
import type { Item } from '../registry/format.ts'
import { type TlsPlace, tlsPlace, tlsService } from './tls-probes.ts'

/** A row of testssl.sh, in its JSON or its CSV. */
export interface TestsslRow {
  id: string
  /** `name/address`. */
  place: string
  port: string
  severity: string
  finding: string
}

const VERSIONS = new Map(
  Object.entries({
    SSLv2: 'SSLv2',
    SSLv3: 'SSLv3',
    TLS1: 'TLSv1.0',
    TLS1_1: 'TLSv1.1',
    TLS1_2: 'TLSv1.2',
    TLS1_3: 'TLSv1.3',
  }),
)

/** `cipherorder_TLSv1_2`: the ciphers of a version. */
const ORDER = /^cipherorder_(SSLv[23]|TLSv1(?:[._]\d)?)$/
/** `TLSv1.2   xc030   ECDHE-RSA-AES256-GCM-SHA384   ECDH 256   AESGCM   256   TLS_...`, before 3.2 without the version. */
const CIPHER = /^(?:(SSLv[23]|TLSv1(?:\.\d)?)\s+)?x[0-9a-f]{2,6}\s+(\S{3,100})\s(.{0,300})$/
/** `cert_notAfter <cert#2>` if there are several certificates. */
const OF_CERTIFICATE = /^(cert_\w{1,60})(?: <[A-Za-z]{1,10}#(\d{1,2})>)?$/

const versionName = (written: string): string => {
  const name = written.replace('_', '.')
  return name === 'TLSv1' ? 'TLSv1.0' : name
}

interface Facts {
  place: TlsPlace
  versions: Set<string>
  /** `version name`. */
  ciphers: Set<string>
  /** By the name of the cipher: its bits, and what testssl thinks of it. */
  strengths: Map<string, string>
  /** By the number of the certificate: rows by their id. */
  certificates: Map<string, Map<string, TestsslRow>>
  clientCertificate: boolean
}

/** Collects what testssl.sh states of each TLS service in addition to its findings: versions, ciphers, certificates. */
export class TestsslFacts {
  readonly #services = new Map<string, Facts>()

  note(row: TestsslRow): void {
    const { id, finding } = row
    const version = VERSIONS.get(id)
    const order = ORDER.exec(id)?.[1]
    const cipher = id.startsWith('cipher') ? CIPHER.exec(finding) : null
    const ofCertificate = OF_CERTIFICATE.exec(id)
    const isClient = id === 'clientAuth' && finding !== 'none'
    if (version === undefined && order === undefined && !cipher && !ofCertificate && !isClient) return
    const facts = this.#factsOf(row)
    if (!facts) return
    if (version !== undefined && /^offered\b/.test(finding)) facts.versions.add(version)
    else if (order !== undefined)
      for (const name of finding.split(/\s+/).filter(isCipherName)) facts.ciphers.add(`${versionName(order)} ${name}`)
    else if (cipher) {
      const [, written, name = '', rest = ''] = cipher
      facts.ciphers.add(`${written === undefined ? '' : versionName(written)} ${name}`)
      facts.strengths.set(name, strengthOf(rest, row.severity))
    } else if (ofCertificate) {
      const [, field = '', number = '1'] = ofCertificate
      const known = facts.certificates.get(number) ?? new Map<string, TestsslRow>()
      facts.certificates.set(number, known.set(field, row))
    } else if (isClient) facts.clientCertificate = true
  }

  *finish(): Generator<Item> {
    for (const facts of this.#services.values()) {
      const { place, versions, certificates } = facts
      const ciphers = ciphersOf(facts)
      if (versions.size > 0 || ciphers.length > 0)
        yield* itemsOf('', place, () => [tlsService(place, ciphers, [...versions])])
      for (const rows of certificates.values()) yield* itemsOf('', place, () => certificateItems(facts, rows))
    }
  }

  #factsOf({ place: written, port }: TestsslRow): Facts | undefined {
    const [name = '', address = ''] = written.split('/')
    const key = `${written} ${port}`
    const known = this.#services.get(key)
    if (known) return known
    const isPlace = canonicalAddress(address) !== undefined || canonicalHost(name) !== undefined
    if (!isPlace || canonicalPort(port) === undefined) return undefined
    const facts: Facts = {
      place: tlsPlace(name, address, port),
      versions: new Set(),
      ciphers: new Set(),
      strengths: new Map(),
      certificates: new Map(),
      clientCertificate: false,
    }
    this.#services.set(key, facts)
    return facts
  }
}

const isCipherName = (word: string): boolean => /^[A-Z0-9][A-Za-z0-9_-]{4,80}$/.test(word)

/** `256 bits, low` */
const strengthOf = (columns: string, severity: string): string => {
  const bits = /(?:^|\s)(\d{2,3})(?:\s{1,20}(?:TLS|SSL)_\S{1,100})?$/.exec(columns.trim())?.[1]
  const rated = /^(?:LOW|MEDIUM|HIGH|CRITICAL)$/.test(severity) ? severity.toLowerCase() : undefined
  return [bits && `${bits} bits`, rated].filter(Boolean).join(', ')
}

/** `TLSv1.2: AES128-SHA (128 bits)`; a cipher without a version only if none has it. */
const ciphersOf = ({ ciphers, strengths }: Facts): string[] => {
  const versioned = new Set([...ciphers].filter((each) => !each.startsWith(' ')).map((each) => each.split(' ')[1]))
  return [...ciphers].flatMap((each) => {
    const [version = '', name = ''] = each.split(' ')
    if (version === '' && versioned.has(name)) return []
    const strength = strengths.get(name)
    return [`${version === '' ? '' : `${version}: `}${name}${strength ? ` (${strength})` : ''}`]
  })
}

/** `2026-08-16 20:28`, in UTC. */
const timeOf = (written: string | undefined): string | undefined =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(written ?? '') ? cleanTime(`${written?.replace(' ', 'T')}:00Z`) : undefined

function* certificateItems(
  { place, versions, clientCertificate }: Facts,
  rows: ReadonlyMap<string, TestsslRow>,
): Generator<Sighting | Item> {
  const of = (field: string): string | undefined => {
    const text = rows.get(`cert_${field}`)?.finding.trim()
    return text === '' || text === '--' ? undefined : text
  }
  const sha256 = of('fingerprintSHA256')
  const [serial, issuer] = [of('serialNumber'), of('caIssuers')]
  if (sha256 === undefined && (serial === undefined || issuer === undefined)) return
  const names = (of('subjectAltName') ?? '').split(/[\s,]+/).filter(Boolean)
  const trust = rows.get('cert_chain_of_trust')
  const isRevoked = [of('ocspRevoked'), of('crlRevoked'), of('revocation')].some((text) =>
    /^(?:is )?revoked/i.test(text ?? ''),
  )
  yield certificateSighting({
    host: place.askedName ?? place.host,
    address: place.askedName === undefined ? undefined : place.host,
    askedName: place.askedName,
    port: place.port,
    serverName: place.askedName,
    sha256,
    subject: of('commonName') && `CN=${of('commonName')}`,
    issuer,
    names,
    notBefore: timeOf(of('notBefore')),
    notAfter: timeOf(of('notAfter')),
    serial,
    selfSigned: /self.?signed/i.test(trust?.finding ?? '') || undefined,
    untrusted: /^(?:LOW|MEDIUM|HIGH|CRITICAL)$/.test(trust?.severity ?? '') || undefined,
    revoked: isRevoked || undefined,
    clientCertificate: clientCertificate || undefined,
    versions: [...versions],
    parts: ['names'],
  })
  for (const name of names) {
    const host = canonicalHost(name)
    if (host !== undefined) yield { type: 'mention', host }
  }
}
