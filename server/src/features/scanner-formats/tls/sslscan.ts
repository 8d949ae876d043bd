import { canonicalHost } from '../../inventory/sightings/canonical.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { PassedChecks } from '../fields/passed-checks.ts'
import { itemsOf } from '../readers/records.ts'
import { childrenOf, type Element, readXml, textOf } from '../readers/xml.ts'
import type { Format, Item } from '../registry/format.ts'
import { oldVersions, tlsFinding, tlsPlace, tlsService } from './tls-probes.ts'

/**
 * XML of sslscan (`--xml`). Its certificates have neither fingerprint nor serial number, so their names stay with the
 * service.
 */
export const sslscan: Format = {
  id: 'sslscan',
  name: 'sslscan XML',
  recognisedBy: 'XML whose root is document with the title SSLScan Results',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) => head.shape === 'xml' && head.root === 'document' && /^SSLScan/i.test(head.attributes['title'] ?? ''),
  read: readSslscan,
}

async function* readSslscan(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const passed = new PassedChecks()
  let failed = 0
  for await (const event of readXml(text, (path) => path === 'document/ssltest' || path === 'document/error')) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'element' && event.element.name === 'error') failed++
    else if (event.type === 'element')
      yield* passed.watch(itemsOf(`line ${event.element.line}`, event.element, testItems))
    else if (event.element.name === 'document') yield { type: 'tool', version: event.element.attributes['version'] }
  }
  yield* passed.warnings()
  if (failed > 0) yield { type: 'warning', text: `Servers that sslscan could not examine: ${failed}.` }
}

/** `ssl` and `3` is SSLv3, `tls` and `1.0` TLSv1.0. */
const versionOf = ({ attributes }: Element): string =>
  `${attributes['type'] === 'ssl' ? 'SSLv' : 'TLSv'}${attributes['version'] ?? ''}`

function* testItems(test: Element): Generator<Sighting | Item> {
  const place = tlsPlace(
    test.attributes['sniname'] ?? test.attributes['host'],
    test.attributes['host'],
    test.attributes['port'],
  )
  const protocols = childrenOf(test, 'protocol')
  const versions = protocols.filter(({ attributes }) => attributes['enabled'] === '1').map(versionOf)
  const ciphers = childrenOf(test, 'cipher').map(({ attributes }) => ({
    line: `${attributes['sslversion'] ?? ''}: ${attributes['cipher'] ?? ''}`,
    strength: attributes['strength'] ?? '',
  }))
  yield tlsService(
    place,
    ciphers.map(({ line, strength }) => (strength === '' ? line : `${line} (${strength})`)),
    versions,
  )
  yield* oldVersions('sslscan', place, versions, protocols.map(versionOf))
  const bad = ciphers.filter(({ strength }) => ['weak', 'null', 'anonymous'].includes(strength)).map(({ line }) => line)
  if (ciphers.length > 0)
    yield tlsFinding('sslscan', place, 'weak-ciphers', 'Weak ciphers are accepted', 'medium', {
      evidence: bad,
      passed: bad.length === 0,
    })
  const flags = (name: string, flag: string) =>
    childrenOf(test, name).flatMap(({ attributes }) => (attributes[flag] === undefined ? [] : [attributes[flag]]))
  const heartbleed = flags('heartbleed', 'vulnerable')
  if (heartbleed.length > 0)
    yield tlsFinding('sslscan', place, 'heartbleed', 'Heartbleed', 'critical', {
      cve: 'CVE-2014-0160',
      passed: !heartbleed.includes('1'),
    })
  const compression = flags('compression', 'supported')
  if (compression.length > 0)
    yield tlsFinding('sslscan', place, 'CRIME_TLS', 'TLS compression is offered (CRIME)', 'high', {
      cve: 'CVE-2012-4929',
      passed: !compression.includes('1'),
    })
  const renegotiation = childrenOf(test, 'renegotiation')
  if (renegotiation.length > 0)
    yield tlsFinding('sslscan', place, 'secure_renego', 'Renegotiation is insecure', 'high', {
      cve: 'CVE-2009-3555',
      passed: !renegotiation.some(({ attributes }) => attributes['supported'] === '1' && attributes['secure'] === '0'),
    })
  for (const certificate of childrenOf(childrenOf(test, 'certificates')[0], 'certificate')) {
    if (textOf(certificate, 'expired') === 'true')
      yield tlsFinding('sslscan', place, 'cert_expirationStatus', 'The certificate has expired', 'high', {
        evidence: factsIn(certificate),
      })
    if (textOf(certificate, 'self-signed') === 'true')
      yield tlsFinding('sslscan', place, 'cert_chain_of_trust', 'The certificate is self-signed', 'medium', {
        evidence: factsIn(certificate),
      })
    for (const name of (textOf(certificate, 'altnames') ?? '').split(/,\s*/)) {
      const host = canonicalHost(name.replace(/^(?:DNS|IP Address):/, ''))
      if (host !== undefined) yield { type: 'mention', host }
    }
  }
}

const factsIn = (certificate: Element): string[] =>
  ['subject', 'altnames', 'issuer', 'not-valid-before', 'not-valid-after', 'signature-algorithm'].flatMap((name) => {
    const text = textOf(certificate, name)
    return text === undefined ? [] : [`${name}: ${text}`]
  })
