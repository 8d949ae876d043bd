import { textLines } from '../readers/lines.ts'
import type { Element } from '../readers/xml.ts'
import type { Item } from '../registry/format.ts'
import { readRanges, type ScannedPorts } from './nmap-coverage.ts'

/** The first line of `-oN` and `-oG`. */
const BEGIN = /^# Nmap (\S{1,40}) scan initiated .{0,60}? as: (.{0,8000})$/
/** The first line in a terminal; only the last one says that the run ended. */
const STARTING = /^Starting Nmap (\S{1,40}) \(/
const REPORT = /^Nmap scan report for (?:(\S{1,253}) \(([0-9A-Fa-f.:]{2,50})\)|(\S{1,253}))$/
const PORT =
  /^(\d{1,5})\/(tcp|udp|sctp)\s{1,20}(open|closed|filtered|unfiltered|open\|filtered|closed\|filtered)\s{1,20}(\S{1,100})(?:\s{1,20}(.{1,2000}))?$/
/** `syn-ack ttl 64 `, before the version. */
const REASON = /^[a-z][a-z-]{1,40}(?: ttl \d{1,3})?(?: from [0-9A-Fa-f.:]{2,50})?(?:\s+|$)/
const NOT_SHOWN = /^Not shown: (.{1,300})$/

/** True for a file of `-oN` or `-oG`, by its first line. */
export const isNmapText = (line: string): boolean =>
  BEGIN.test(line) ||
  STARTING.test(line) ||
  REPORT.test(line) ||
  /^Host: [0-9A-Fa-f.:]{2,50} \(\S{0,253}\)\t/.test(line)

/** The start of a run, or a host with the ports that the run examined. */
export type NmapPart =
  | { type: 'run'; version: string; hidesPorts: boolean }
  | { type: 'host'; element: Element; looked: ScannedPorts }
  | Extract<Item, { type: 'cut' }>

/**
 * Reads `-oN` and `-oG`, and yields their hosts as the elements that the XML of the same scan would have. Neither
 * states what was examined, except that `-oG -v` lists the ports. Of a normal output its scripts and the state of the
 * ports that are not shown are known, too.
 */
export async function* readNmapText(text: AsyncIterable<string>): AsyncGenerator<NmapPart> {
  let looked: ScannedPorts = new Map()
  let asked = ''
  let host: NormalHost | undefined
  /** `-oG` has several lines for a host. */
  let grepable: Element | undefined
  let isFinished = true
  const ended = function* (): Generator<NmapPart> {
    if (host) yield { type: 'host', element: host.element, looked: new Map() }
    if (grepable) yield { type: 'host', element: grepable, looked }
    host = undefined
    grepable = undefined
  }
  for await (const { line, number } of textLines(text)) {
    const begin = BEGIN.exec(line) ?? STARTING.exec(line)
    const report = REPORT.exec(line.replace(/ \[host down.{0,100}\]$/, ''))
    if (begin) {
      yield* ended()
      looked = new Map()
      isFinished = false
      asked = begin[2] ?? ''
      yield { type: 'run', version: begin[1] as string, hidesPorts: /(?:^|\s)--open(?:\s|$)/.test(asked) }
    } else if (line.startsWith('# Ports scanned: ')) looked = scannedIn(line)
    else if (/^(?:# )?Nmap done[ :]/.test(line)) isFinished = true
    else if (line.startsWith('Host: ')) {
      const address = /^Host: ([0-9A-Fa-f.:]{2,50}) \((\S{0,253})\)/.exec(line)
      if (!address) continue
      if (grepable?.attributes['written'] !== address[1]) yield* ended()
      grepable ??= hostElement(number, address[1] as string, address[2] || undefined, asked)
      addGrepable(grepable, line)
    } else if (report) {
      yield* ended()
      host = new NormalHost(hostElement(number, report[2] ?? (report[3] as string), report[1], asked))
      if (line.includes(' [host down')) setStatus(host.element, 'down')
    } else host?.read(line)
  }
  yield* ended()
  if (!isFinished) yield { type: 'cut', reason: 'the scan did not end, or the file is cut off' }
}

const element = (
  name: string,
  attributes: Record<string, string>,
  line: number,
  children: Element[] = [],
  text = '',
): Element => ({
  name,
  attributes,
  text,
  children,
  line,
})

/** A name that the command contains was asked for; any other is the name of the address. */
const hostElement = (line: number, address: string, name: string | undefined, asked: string): Element => {
  const isAsked = name !== undefined && asked.split(/\s+/).some((word) => word.toLowerCase() === name.toLowerCase())
  const names = name === undefined ? [] : [element('hostname', { name, type: isAsked ? 'user' : 'PTR' }, line)]
  return element('host', { written: address }, line, [
    element('address', { addr: address, addrtype: 'ip' }, line),
    element('hostnames', {}, line, names),
    element('ports', {}, line),
  ])
}

const portsOf = (host: Element): Element => host.children.find(({ name }) => name === 'ports') as Element

const setStatus = (host: Element, state: string): void => {
  host.children = [element('status', { state }, host.line), ...host.children.filter(({ name }) => name !== 'status')]
}

/**
 * `OpenSSH 9.6p1 Ubuntu 3 (Ubuntu Linux; protocol 2.0)`: product, version and more, as far as they can be separated.
 */
const programIn = (written: string | undefined): Record<string, string> => {
  const [, words = '', extra] = /^(.{0,1000}?)(?:\s?\(([^()]{1,500})\))?$/.exec(written?.trim() ?? '') ?? []
  const at = words.split(' ').findIndex((word, index) => index > 0 && /^[v\d]?\d/.test(word))
  const parts = words.split(' ')
  const [product, version] = at < 0 ? [words, ''] : [parts.slice(0, at).join(' '), parts.slice(at).join(' ')]
  return { ...(product && { product }), ...(version && { version }), ...(extra && { extrainfo: extra }) }
}

/** `ssl|http` and `ssl/http` are http in TLS; a question mark follows a guess. */
const serviceElement = (written: string, version: string | undefined, line: number): Element => {
  const [, tunnel, name = ''] = /^(?:(ssl)[|/])?(.{0,100}?)\??$/.exec(written) ?? []
  const program = programIn(version)
  const isGuess = Object.keys(program).length === 0
  return element(
    'service',
    { ...(name && { name }), ...(tunnel && { tunnel }), ...program, method: isGuess ? 'table' : 'probed' },
    line,
  )
}

const portElement = (port: string, protocol: string, state: string, service: Element, line: number): Element =>
  element('port', { protocol, portid: port }, line, [element('state', { state }, line), service])

/** `22/open/tcp//ssh//OpenSSH 9.6p1/, ...`: a slash in a version is written as a bar. */
const addGrepable = (host: Element, line: string): void => {
  for (const field of line.split('\t').slice(1)) {
    const [, name, value = ''] = /^([A-Z][A-Za-z ]{1,30}): (.*)$/.exec(field) ?? []
    if (name === 'Status') setStatus(host, value.toLowerCase())
    else if (name === 'Ports') {
      if (!host.children.some((child) => child.name === 'status')) setStatus(host, 'up')
      for (const entry of value.split(/\/,? (?=\d{1,5}\/)|\/,?$/)) {
        const [port, state, protocol, , service = '', , version] = entry.split('/')
        if (port === undefined || state === undefined || protocol === undefined) continue
        portsOf(host).children.push(
          portElement(
            port,
            protocol,
            state,
            serviceElement(service, version?.replaceAll('|', '/'), host.line),
            host.line,
          ),
        )
      }
    } else if (name === 'Ignored State') {
      const [, state, count] = /^(\S{1,30}) \((\d{1,6})\)/.exec(value) ?? []
      if (state !== undefined && count !== undefined)
        portsOf(host).children.push(element('extraports', { state, count }, host.line))
    } else if (name === 'OS') addOs(host, value)
  }
}

const addOs = (host: Element, name: string): void => {
  host.children.push(element('os', {}, host.line, [element('osmatch', { name: name.slice(0, 300) }, host.line)]))
}

/** `# Ports scanned: TCP(3;22,80,443) UDP(0;) SCTP(0;) PROTOCOLS(0;)` */
const scannedIn = (line: string): ScannedPorts =>
  new Map(
    [...line.matchAll(/\b(TCP|UDP|SCTP)\(\d{1,6};([\d,-]{1,65536})\)/g)].map(([, protocol, ports]) => [
      (protocol as string).toLowerCase(),
      readRanges(ports as string),
    ]),
  )

/** A host of normal output, line by line. */
class NormalHost {
  readonly element: Element
  /** With `--reason` a column comes before the version. */
  #hasReasons = false
  #osMatch: Element | undefined
  /** The element to which the next script belongs. */
  #holder: Element
  #script: Element | undefined

  constructor(host: Element) {
    this.element = host
    this.#holder = host
    setStatus(host, 'up')
  }

  read(line: string): void {
    const script = /^\|[_ ]?(.*)$/.exec(line)
    if (script) return this.#readScript(script[1] as string)
    this.#script = undefined
    const port = PORT.exec(line)
    if (port) {
      const [, number, protocol, state, service, last] = port
      const version = this.#hasReasons ? last?.replace(REASON, '') : last
      const made = portElement(
        number as string,
        protocol as string,
        state as string,
        serviceElement(service as string, version, this.element.line),
        this.element.line,
      )
      portsOf(this.element).children.push(made)
      this.#holder = made
    } else this.#readFact(line)
  }

  #readFact(line: string): void {
    const hidden = NOT_SHOWN.exec(line)?.[1]
    const os = /^(OS details|Running|Aggressive OS guesses): (.{1,2000})$/.exec(line)
    const mac = /^MAC Address: ([0-9A-F:]{17})(?: \((.{1,100})\))?$/.exec(line)
    const name = /^rDNS record for [0-9A-Fa-f.:]{2,50}: (\S{1,253})$/.exec(line)?.[1]
    const cpe = /^OS CPE: (.{1,2000})$/.exec(line)?.[1]
    if (/^PORT\s+STATE\s+SERVICE/.test(line)) this.#hasReasons = /\sREASON\b/.test(line)
    else if (name !== undefined) this.#add('hostnames', element('hostname', { name, type: 'PTR' }, this.element.line))
    else if (cpe !== undefined) this.#noteOs({ cpe })
    else if (line.startsWith('Host is down')) setStatus(this.element, 'down')
    else if (line.startsWith('Host script results:')) {
      this.#holder = element('hostscript', {}, this.element.line)
      this.element.children.push(this.#holder)
    } else if (hidden !== undefined) {
      for (const [, count, state] of hidden.matchAll(/(\d{1,6}) (closed|filtered|open\|filtered|unfiltered)/g))
        portsOf(this.element).children.push(
          element('extraports', { state: state as string, count: count as string }, this.element.line),
        )
    } else if (os) {
      const [, name = '', accuracy] = /^(.{1,300}?)(?: \((\d{1,3})%\).{0,2000})?$/.exec(os[2] as string) ?? []
      // The details come after the family, and are more exact.
      this.#noteOs({ name, accuracy: os[1] === 'Aggressive OS guesses' ? accuracy : undefined })
    } else if (mac)
      this.element.children.push(
        element(
          'address',
          { addr: mac[1] as string, addrtype: 'mac', ...(mac[2] && { vendor: mac[2] }) },
          this.element.line,
        ),
      )
  }

  #add(name: string, child: Element): void {
    this.element.children.find((each) => each.name === name)?.children.push(child)
  }

  /** The operating system as the XML states it: its first match, with its CPE. */
  #noteOs(found: { name?: string | undefined; accuracy?: string | undefined; cpe?: string | undefined }): void {
    const { line } = this.element
    if (!this.#osMatch) {
      this.#osMatch = element('osmatch', {}, line, [element('osclass', {}, line)])
      this.element.children.push(element('os', {}, line, [this.#osMatch]))
    }
    const { attributes, children } = this.#osMatch
    if (found.name !== undefined) attributes['name'] = found.name.slice(0, 300)
    if (found.accuracy !== undefined) attributes['accuracy'] = found.accuracy
    for (const cpe of found.cpe?.match(/cpe:\/[a-z]:[^\s,;]{1,200}/g) ?? [])
      children[0]?.children.push(element('cpe', {}, line, [], cpe))
  }

  /** `ssh-hostkey: ` begins a script; its further lines are indented. */
  #readScript(line: string): void {
    const [, id, first = ''] = /^([a-z][\w-]{1,60}): ?(.*)$/i.exec(line) ?? []
    if (id !== undefined && !line.startsWith(' ')) {
      this.#script = element('script', { id, output: first }, this.element.line)
      this.#holder.children.push(this.#script)
    } else if (this.#script) this.#script.attributes['output'] += `\n${line}`
  }
}
