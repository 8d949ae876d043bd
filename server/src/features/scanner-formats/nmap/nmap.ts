import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import type { Range } from '../../inventory/coverage/coverage.ts'
import {
  canonicalAddress,
  canonicalName,
  canonicalPort,
  canonicalProtocol,
  hostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { cleanLine, cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import {
  dnsRecordSighting,
  hostSighting,
  type Sighting,
  serviceSighting,
  InvalidSighting,
} from '../../inventory/sightings/sightings.ts'
import { technologySighting } from '../../inventory/sightings/web-sightings.ts'
import { momentIn } from '../fields/probes.ts'
import { unusable } from '../readers/rejections.ts'
import { childOf, childrenOf, type Element, readXml } from '../readers/xml.ts'
import type { Format, Item } from '../registry/format.ts'
import { coveredPorts, type ScannedPorts, readRanges } from './nmap-coverage.ts'

const WHOLE = new Set(['nmaprun/host', 'nmaprun/scaninfo', 'nmaprun/runstats', 'nmaprun/hosthint'])

/** XML of nmap (nmap.dtd, output versions 1.04 and 1.05). */
export const nmap: Format = {
  id: 'nmap',
  name: 'Nmap XML (-oX)',
  recognisedBy: 'XML whose root is nmaprun, written by nmap',
  knowsCoverage: true,
  // Start of each run in the file; quotes in texts are escaped.
  statedTimes: () => ({ patterns: [/ start="(\d{9,13})"/g] }),
  isIn: (head) => head.shape === 'xml' && head.root === 'nmaprun' && head.attributes['scanner'] !== 'masscan',
  read: readNmap,
}

async function* readNmap(text: AsyncIterable<string>): AsyncGenerator<Item> {
  // State of one run: a file may hold several in sequence.
  let looked = new Map<string, Range[]>()
  let hidesPorts = false
  const uncertain = new UncertainPorts()
  for await (const event of readXml(text, (path) => WHOLE.has(path))) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'open') {
      if (event.element.name !== 'nmaprun') continue
      looked = new Map()
      hidesPorts = /(?:^|\s)--open(?:\s|$)/.test(event.element.attributes['args'] ?? '')
      yield { type: 'tool', version: event.element.attributes['version'] ?? '' }
    } else if (event.element.name === 'scaninfo') {
      const { protocol = '', services = '' } = event.element.attributes
      looked.set(protocol, [...(looked.get(protocol) ?? []), ...readRanges(services)])
    } else if (event.element.name === 'host') {
      uncertain.note(event.element)
      yield* hostItems(event.element, looked, hidesPorts)
    }
  }
  yield* uncertain.warnings()
}

/** Listed ports whose state nmap could not determine: they are not services, and the import warns about them. */
class UncertainPorts {
  readonly #listed: string[] = []
  #count = 0

  note(host: Element): void {
    for (const port of childrenOf(childOf(host, 'ports'), 'port')) {
      const state = childOf(port, 'state')?.attributes['state'] ?? ''
      if (!UNCERTAIN.has(state)) continue
      this.#count++
      if (this.#listed.length >= MAX_LISTED) continue
      const address = namesAndAddresses(host).host
      const { portid = '', protocol = '' } = port.attributes
      if (address !== undefined) this.#listed.push(`${hostAndPort(address, Number(portid))}/${protocol} (${state})`)
    }
  }

  *warnings(): Generator<Item> {
    if (this.#count === 0) return
    const more = this.#count - this.#listed.length
    const ports = `${this.#listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    yield {
      type: 'warning',
      text: cleanLine(`Ports that may be open are not recorded as services: ${ports}.`, 2_000) as string,
    }
  }
}

const UNCERTAIN = new Set(['open|filtered', 'filtered', 'unfiltered', 'closed|filtered'])
const MAX_LISTED = 20

/** Reads a host element. Ignores hosts whose state proves nothing (`-sL`). */
function* hostItems(element: Element, looked: ScannedPorts, hidesPorts: boolean): Generator<Item> {
  const position = `line ${element.line}`
  const state = childOf(element, 'status')?.attributes['state']
  const known = namesAndAddresses(element)
  const { host } = known
  if (state !== 'up' && state !== 'down') return
  if (host === undefined) {
    yield { type: 'rejection', position, excerpt: '<host>', reason: 'the host has neither an address nor a name' }
    return
  }
  yield* probes(element, host, state === 'up' ? looked : new Map())
  if (state === 'up' && !hasAnswered(element)) return
  yield { type: 'coverage', coverage: { what: 'host', host } }
  if (state === 'down') return
  yield* tried(position, element, () => hostSightings(element, known))
  for (const port of childrenOf(childOf(element, 'ports'), 'port'))
    yield* tried(`line ${port.line}`, port, () => portSightings(port, known))
  for (const coverage of coveredPorts(host, element, looked, hidesPorts)) yield { type: 'coverage', coverage }
}

/** Yields all probes, with or without a response: all ports of the run, or host discovery. */
function* probes(element: Element, host: string, looked: ScannedPorts): Generator<Item> {
  const [from, to] = [momentIn(element.attributes['starttime']), momentIn(element.attributes['endtime'])]
  if (from === undefined || to === undefined || to < from) return
  if (looked.size === 0) yield { type: 'probe', probe: { host, protocol: null, ports: [], from, to } }
  for (const [written, ports] of looked)
    yield { type: 'probe', probe: { host, protocol: canonicalProtocol(written) ?? null, ports, from, to } }
}

/** With `-Pn` nmap marks every host as up; it was seen only if a port responded. */
const hasAnswered = (element: Element): boolean => {
  if (childOf(element, 'status')?.attributes['reason'] !== 'user-set') return true
  const ports = childOf(element, 'ports')
  const states = [
    ...childrenOf(ports, 'port').map((port) => childOf(port, 'state')),
    ...childrenOf(ports, 'extraports'),
  ]
  return states.some((found) => found?.attributes['state'] === 'open' || found?.attributes['state'] === 'closed')
}

/** One unusable element does not affect others. */
function* tried(position: string, element: Element, make: () => Iterable<Sighting>): Generator<Item> {
  try {
    for (const sighting of make()) yield { type: 'sighting', position, sighting }
  } catch (error) {
    yield unusable(error, position, `<${element.name} ${JSON.stringify(element.attributes)}>`)
  }
}

interface Known {
  host: string | undefined
  askedName: string | undefined
  /** PTR names of the address. */
  pointers: string[]
  address: string | undefined
}

const namesAndAddresses = (element: Element): Known => {
  const addresses = childrenOf(element, 'address').filter(({ attributes }) => attributes['addrtype'] !== 'mac')
  const address = addresses
    .map(({ attributes }) => canonicalAddress(attributes['addr'] ?? ''))
    .find((found) => found !== undefined)
  const names = childrenOf(childOf(element, 'hostnames'), 'hostname').map(({ attributes }) => ({
    name: canonicalName(attributes['name'] ?? ''),
    type: attributes['type'],
  }))
  const asked = names.find(({ name, type }) => type === 'user' && name !== undefined)?.name
  const pointers = names
    .filter(({ name, type }) => type === 'PTR' && name !== undefined)
    .map(({ name }) => name as string)
  return { host: address ?? asked ?? pointers[0], askedName: asked, pointers, address }
}

function* hostSightings(element: Element, { host, askedName, pointers, address }: Known): Generator<Sighting> {
  const mac = childrenOf(element, 'address').find(({ attributes }) => attributes['addrtype'] === 'mac')?.attributes
  const os = childrenOf(childOf(element, 'os'), 'osmatch')[0]?.attributes['name']
  yield hostSighting({
    host: host as string,
    askedName,
    up: true,
    hostnames: pointers,
    os,
    mac: mac?.['addr'],
    vendor: mac?.['vendor'],
  })
  if (address !== undefined)
    for (const name of new Set(pointers)) yield dnsRecordSighting({ name: address, type: 'PTR', value: name })
}

/** An open port is a service. `open|filtered` is not open; protocols without ports (`-sO`) are skipped. */
function* portSightings(element: Element, known: Known): Generator<Sighting> {
  if (childOf(element, 'state')?.attributes['state'] !== 'open') return
  const written = element.attributes['protocol']
  if (written === 'ip') return
  const protocol = canonicalProtocol(written)
  const port = canonicalPort(element.attributes['portid'])
  if (protocol === undefined || port === undefined) throw new InvalidSighting('portid is not a port from 1 to 65535')
  const host = known.host as string
  const { askedName } = known
  const service = childOf(element, 'service')
  const stated = service?.attributes ?? {}
  const scripts = childrenOf(element, 'script')
  const found = serviceSighting({
    host,
    askedName,
    protocol,
    port,
    name: stated['name'],
    isNameGuessed: stated['method'] === 'table',
    product: stated['product'],
    version: stated['version'],
    extraInfo: stated['extrainfo'],
    cpe: childrenOf(service, 'cpe').map((cpe) => cpe.text),
    tunnel: stated['tunnel'],
    banner: scripts.find(({ attributes }) => attributes['id'] === 'banner')?.attributes['output'],
    scripts: Object.fromEntries(scripts.map(({ attributes }) => [attributes['id'] ?? '', attributes['output'] ?? ''])),
  })
  yield found
  if (cleanLine(stated['product']) !== undefined)
    yield technologySighting({
      asset: found.asset,
      host,
      askedName,
      port,
      name: stated['product'],
      version: stated['version'],
    })
  for (const script of scripts)
    if (script.attributes['id'] === 'vulners') yield* vulners(script, { host, askedName, protocol, port })
}

/** Reads the script `vulners`: one table per CPE, with one table per entry of its database. */
function* vulners(
  script: Element,
  place: { host: string; askedName: string | undefined; protocol: string; port: number },
): Generator<Sighting> {
  for (const product of childrenOf(script, 'table')) {
    for (const entry of childrenOf(product, 'table')) {
      const fields = Object.fromEntries(
        childrenOf(entry, 'elem').map(({ attributes, text }) => [attributes['key'] ?? '', text]),
      )
      if (fields['id'] === undefined) continue
      const score = cleanNumber(fields['cvss'])
      yield vulnerabilitySighting({
        tool: 'nmap',
        ruleId: fields['id'],
        asset: `${hostAndPort(place.host, place.port)}/${place.protocol}`,
        ...place,
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
