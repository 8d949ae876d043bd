import type { Range } from '../../inventory/coverage/coverage.ts'
import {
  canonicalAddress,
  canonicalName,
  canonicalPort,
  canonicalProtocol,
  hostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { cleanLine, cleanNumber } from '../../inventory/sightings/clean.ts'
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
import { scriptItems, scriptTexts } from './nmap-scripts.ts'
import { isNmapText, readNmapText } from './nmap-text.ts'

const WHOLE = new Set([
  'nmaprun/host',
  'nmaprun/scaninfo',
  'nmaprun/runstats',
  'nmaprun/hosthint',
  'nmaprun/prescript',
  'nmaprun/postscript',
])

/** XML of nmap (nmap.dtd, output versions 1.04 and 1.05), and the normal and grepable output of `-oN` and `-oG`. */
export const nmap: Format = {
  id: 'nmap',
  name: 'Nmap XML (-oX), normal and grepable output (-oN, -oG)',
  recognisedBy:
    'XML whose root is nmaprun, written by nmap; text that begins with "# Nmap ... scan initiated" or "Nmap scan report for"',
  knowsCoverage: true,
  // Start of each run in the file; quotes in texts are escaped.
  statedTimes: () => ({ patterns: [/ start="(\d{9,13})"/g, /^# Nmap \S{1,40} scan initiated (.{10,40}?) as:/gm] }),
  isIn: (head) =>
    (head.shape === 'xml' && head.root === 'nmaprun' && head.attributes['scanner'] !== 'masscan') ||
    (head.shape === 'text' && isNmapText(head.line)),
  read: (text, head) => (head.shape === 'text' ? readText(text) : readNmap(text)),
}

async function* readText(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const notes = new NmapNotes()
  let hidesPorts = false
  for await (const part of readNmapText(text)) {
    if (part.type === 'cut') yield part
    else if (part.type === 'run') {
      hidesPorts = part.hidesPorts
      yield { type: 'tool', version: part.version }
    } else {
      notes.note(part.element)
      yield* notes.watch(hostItems(part.element, part.looked, hidesPorts))
    }
  }
  yield* notes.warnings()
}

async function* readNmap(text: AsyncIterable<string>): AsyncGenerator<Item> {
  // State of one run: a file may hold several in sequence.
  let looked = new Map<string, Range[]>()
  let hidesPorts = false
  const notes = new NmapNotes()
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
      notes.note(event.element)
      yield* notes.watch(hostItems(event.element, looked, hidesPorts))
    } else if (event.element.name.endsWith('script')) yield* ofNoHost(event.element)
  }
  yield* notes.warnings()
}

/** Scripts that ran before or after all hosts, such as a list of credentials that were found. */
function* ofNoHost(scripts: Element): Generator<Item> {
  for (const [id, output] of Object.entries(scriptTexts(childrenOf(scripts, 'script'))))
    yield {
      type: 'warning',
      text: cleanLine(`The script ${id} belongs to no host, so its output is only here: ${output}`, 2_000) as string,
    }
}

/** For warnings: ports without a certain answer, which are kept in that state, protocols without ports, passed checks. */
class NmapNotes {
  readonly #listed: string[] = []
  #count = 0
  #protocols = 0
  #passed = 0;

  /** Counts checks for vulnerabilities that passed. */
  *watch(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if (item.type === 'sighting' && item.sighting.passed) this.#passed++
      yield item
    }
  }

  note(host: Element): void {
    for (const port of childrenOf(childOf(host, 'ports'), 'port')) {
      const state = childOf(port, 'state')?.attributes['state'] ?? ''
      if (port.attributes['protocol'] === 'ip') {
        if (state === 'open') this.#protocols++
        continue
      }
      if (!UNCERTAIN.has(state)) continue
      this.#count++
      if (this.#listed.length >= MAX_LISTED) continue
      const address = namesAndAddresses(host).host
      const { portid = '', protocol = '' } = port.attributes
      if (address !== undefined) this.#listed.push(`${hostAndPort(address, Number(portid))}/${protocol} (${state})`)
    }
  }

  *warnings(): Generator<Item> {
    if (this.#passed > 0)
      yield { type: 'warning', text: `Checks of scripts that passed and are not findings: ${this.#passed}.` }
    if (this.#protocols > 0)
      yield { type: 'warning', text: `IP protocols that answered (-sO), which have no ports: ${this.#protocols}.` }
    if (this.#count === 0) return
    const more = this.#count - this.#listed.length
    const ports = `${this.#listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    yield {
      type: 'warning',
      text: cleanLine(`Ports that gave no certain answer, kept as services in that state: ${ports}.`, 2_000) as string,
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
  for (const script of hostScripts(element))
    yield* tried(`line ${script.line}`, script, () => scriptItems(script, { host, askedName: known.askedName }))
  for (const port of childrenOf(childOf(element, 'ports'), 'port'))
    yield* tried(`line ${port.line}`, port, () => portItems(port, known))
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
function* tried(position: string, element: Element, make: () => Iterable<Sighting | Item>): Generator<Item> {
  try {
    for (const made of make()) yield 'kind' in made ? { type: 'sighting', position, sighting: made } : made
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
  const [match] = childrenOf(childOf(element, 'os'), 'osmatch')
  yield hostSighting({
    host: host as string,
    askedName,
    up: true,
    hostnames: pointers,
    os: match?.attributes['name'],
    osAccuracy: cleanNumber(match?.attributes['accuracy']),
    cpe: childrenOf(match, 'osclass').flatMap((kind) => childrenOf(kind, 'cpe').map(({ text }) => text)),
    mac: mac?.['addr'],
    vendor: mac?.['vendor'],
    uptime: childOf(element, 'uptime')?.attributes['lastboot'],
    otherPorts: otherPortsIn(element),
    traceroute: hopsIn(element),
    scripts: scriptTexts(hostScripts(element)),
  })
  if (address !== undefined)
    for (const name of new Set(pointers)) yield dnsRecordSighting({ name: address, type: 'PTR', value: name })
}

const hostScripts = (host: Element): Element[] => childrenOf(childOf(host, 'hostscript'), 'script')

/** `996 closed (reset), 3 filtered (no-response)`: the ports of a host that are not listed. */
const otherPortsIn = (host: Element): string =>
  childrenOf(childOf(host, 'ports'), 'extraports')
    .map((sum) => {
      const { state = 'unknown', count = '?' } = sum.attributes
      const reasons = childrenOf(sum, 'extrareasons').map(({ attributes }) => attributes)
      const named = reasons.map(({ reason = '?', count: some = '?' }) =>
        reasons.length > 1 ? `${some} ${reason}` : reason,
      )
      return `${count} ${state}${named.length > 0 ? ` (${named.join(', ')})` : ''}`
    })
    .join(', ')

/** `1  198.51.100.1 (gw.example.net)`: times differ at each scan. */
const hopsIn = (host: Element): string =>
  childrenOf(childOf(host, 'trace'), 'hop')
    .map(
      ({ attributes }) =>
        `${attributes['ttl'] ?? '?'}  ${attributes['ipaddr'] ?? '*'}${attributes['host'] ? ` (${attributes['host']})` : ''}`,
    )
    .join('\n')

/**
 * An open port is a service. One without a certain answer is kept in its state; protocols without ports (`-sO`) are
 * skipped.
 */
function* portItems(element: Element, known: Known): Generator<Sighting | Item> {
  const state = childOf(element, 'state')?.attributes['state'] ?? ''
  if (state !== 'open' && !UNCERTAIN.has(state)) return
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
    state,
    hostname: stated['hostname'],
    os: stated['ostype'],
    deviceType: stated['devicetype'],
    cpe: childrenOf(service, 'cpe').map((cpe) => cpe.text),
    tunnel: stated['tunnel'],
    banner: scripts.find(({ attributes }) => attributes['id'] === 'banner')?.attributes['output'],
    scripts: scriptTexts(scripts),
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
    yield* scriptItems(script, {
      host,
      askedName,
      protocol,
      port,
      isTls: stated['tunnel'] === 'ssl' || stated['name'] === 'https',
    })
}
