import { X509Certificate } from 'node:crypto'
import type { Severity } from '@sortie/contract/core/values.ts'
import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { canonicalHost, canonicalName, hostAndPort } from '../../inventory/sightings/canonical.ts'
import { cleanNumber, cleanTime } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { certificateSighting, webPathSighting } from '../../inventory/sightings/web-sightings.ts'
import { childrenOf, type Element } from '../readers/xml.ts'
import type { Item } from '../registry/format.ts'

/** The host or the port that a script examined. */
export interface ScriptPlace {
  host: string
  askedName: string | undefined
  protocol?: string
  port?: number
  isTls?: boolean
}

/** The output of scripts, by their id; of one without a text, its structured output as lines. */
export const scriptTexts = (scripts: readonly Element[]): Record<string, string> =>
  Object.fromEntries(
    scripts.map((script) => [script.attributes['id'] ?? '', script.attributes['output'] || linesOf(script).join('\n')]),
  )

const linesOf = (table: Element, indent = ''): string[] =>
  table.children.flatMap((child) => {
    const key = child.attributes['key']
    if (child.name === 'elem') return [`${indent}${key === undefined ? '' : `${key}: `}${child.text}`]
    return [...(key === undefined ? [] : [`${indent}${key}:`]), ...linesOf(child, `${indent}  `)]
  })

/** What a script reports in addition to its text: vulnerabilities, a certificate with its names, paths. */
export function* scriptItems(script: Element, place: ScriptPlace): Generator<Sighting | Item> {
  const { id } = script.attributes
  if (id === 'vulners') yield* vulners(script, place)
  else if (id === 'ssl-cert') yield* certificateItems(script, place)
  else if (id === 'http-enum') yield* paths(script, place)
  else yield* vulnerabilities(script, place)
}

const assetOf = ({ host, port, protocol }: ScriptPlace): string =>
  port === undefined ? host : `${hostAndPort(host, port)}/${protocol}`
const placeIn = ({ host, askedName, protocol, port }: ScriptPlace) => ({ host, askedName, protocol, port })

const fieldsOf = (table: Element | undefined): Record<string, string | undefined> =>
  Object.fromEntries(childrenOf(table, 'elem').map(({ attributes, text }) => [attributes['key'] ?? '', text]))
const tableIn = (table: Element, key: string): Element | undefined =>
  childrenOf(table, 'table').find(({ attributes }) => attributes['key'] === key)
const valuesIn = (table: Element, key: string): string[] =>
  childrenOf(tableIn(table, key), 'elem').map(({ text }) => text)

/** Reads the script `vulners`: one table per CPE, with one table per entry of its database. */
function* vulners(script: Element, place: ScriptPlace): Generator<Sighting> {
  for (const product of childrenOf(script, 'table')) {
    for (const entry of childrenOf(product, 'table')) {
      const fields = fieldsOf(entry)
      if (fields['id'] === undefined) continue
      const score = cleanNumber(fields['cvss'])
      yield vulnerabilitySighting({
        tool: 'nmap',
        ruleId: fields['id'],
        asset: assetOf(place),
        ...placeIn(place),
        title: fields['id'],
        severity: score === undefined ? null : severityOfScore(score),
        cve: fields['id'],
        cvssScore: score,
        references: [`https://vulners.com/${fields['type'] ?? 'cve'}/${fields['id']}`],
        evidence: [product.attributes['key']],
      })
    }
  }
}

/** Scripts that use nmap's library `vulns`: a table for each vulnerability, with its state. */
function* vulnerabilities(script: Element, place: ScriptPlace): Generator<Sighting> {
  for (const table of childrenOf(script, 'table')) {
    const { state, title } = fieldsOf(table)
    if (state === undefined || title === undefined || !/VULNERABLE/.test(state)) continue
    const ids = valuesIn(table, 'ids')
    const output = script.attributes['output']
    yield vulnerabilitySighting({
      tool: 'nmap',
      ruleId: script.attributes['id'],
      asset: assetOf(place),
      ...placeIn(place),
      matcher: table.attributes['key'] ?? title,
      passed: /NOT VULNERABLE/.test(state),
      title,
      severity: /NOT VULNERABLE/.test(state) ? null : riskIn(table, output),
      confidence: /LIKELY/.test(state) ? 'likely' : /EXPLOIT/.test(state) ? 'exploited' : undefined,
      description: valuesIn(table, 'description').join('\n'),
      references: valuesIn(table, 'refs'),
      cve: ids.map((id) => id.replace(/^CVE:/, '')),
      evidence: [
        ...['check_results', 'exploit_results', 'extra_info'].map((key) => valuesIn(table, key).join('\n')),
        output,
      ],
    })
  }
}

/** A score in its table, or the word in the text. */
const riskIn = (table: Element, output = ''): Severity | null => {
  const score = cleanNumber(/\b(\d{1,2}\.\d)\b/.exec(fieldsOf(tableIn(table, 'scores'))['CVSSv2'] ?? '')?.[1])
  return score === undefined ? severityOf(/Risk factor: (\w{3,10})/i.exec(output)?.[1]) : severityOfScore(score)
}

const SHORT = new Map(
  Object.entries({
    commonName: 'CN',
    organizationName: 'O',
    organizationalUnitName: 'OU',
    localityName: 'L',
    stateOrProvinceName: 'ST',
    countryName: 'C',
  }),
)

const orderOf = ({ attributes }: Element): number => [...SHORT.keys()].indexOf(attributes['key'] ?? '')

const nameIn = (table: Element | undefined): string | undefined =>
  childrenOf(table, 'elem')
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .map(
      ({ attributes, text }) =>
        `${SHORT.get(attributes['key'] ?? '') ?? attributes['key'] ?? ''}=${text.replace(/[,+"<>;\\]/g, String.raw`\$&`)}`,
    )
    .join(', ') || undefined

/** The certificate of `ssl-cert`; its names may become targets. */
function* certificateItems(script: Element, place: ScriptPlace): Generator<Sighting | Item> {
  const { sha256, sha1, pem } = fieldsOf(script)
  const validity = fieldsOf(tableIn(script, 'validity'))
  const whole = certificateOf(pem)
  const extensions = childrenOf(tableIn(script, 'extensions'), 'table').map(fieldsOf)
  const alternatives =
    extensions.find((extension) => extension['name'] === 'X509v3 Subject Alternative Name')?.['value'] ??
    whole?.subjectAltName ??
    ''
  const names = alternatives
    .split(/,\s*/)
    .flatMap((written) => /^(?:DNS|IP Address):(.{1,253})$/.exec(written)?.[1] ?? [])
  if ((whole ?? sha256 ?? sha1) === undefined || place.port === undefined) return
  yield certificateSighting({
    host: place.askedName ?? place.host,
    address: place.askedName === undefined ? undefined : place.host,
    askedName: place.askedName,
    port: place.port,
    serverName: place.askedName,
    sha256: whole?.fingerprint256 ?? sha256,
    sha1: whole ? undefined : sha1,
    subject: nameIn(tableIn(script, 'subject')),
    issuer: nameIn(tableIn(script, 'issuer')),
    names,
    notBefore: cleanTime(zoned(validity['notBefore'])),
    notAfter: cleanTime(zoned(validity['notAfter'])),
    serial: whole?.serialNumber,
  })
  for (const name of names) {
    const host = canonicalHost(name)
    if (host !== undefined) yield { type: 'mention', host }
  }
}

/** Times of certificates are in UTC. */
const zoned = (time: string | undefined): string | undefined =>
  time === undefined || /[zZ]|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`

const certificateOf = (pem: string | undefined): X509Certificate | undefined => {
  if (pem === undefined || pem.length > 64 * 1024) return undefined
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** Lines such as `/admin/: Possible admin folder` of `http-enum`. */
function* paths(script: Element, place: ScriptPlace): Generator<Sighting> {
  if (place.port === undefined) return
  const host =
    place.askedName !== undefined && canonicalName(place.askedName) !== undefined ? place.askedName : place.host
  const origin = `${place.isTls ? 'https' : 'http'}://${hostAndPort(host, place.port)}`
  for (const line of (script.attributes['output'] ?? '').split('\n').slice(0, 5_000)) {
    const [, path, note] = /^\s{0,10}(\/\S{0,2000}): (.{1,300})$/.exec(line) ?? []
    if (path !== undefined) yield webPathSighting({ url: origin + path, note })
  }
}
