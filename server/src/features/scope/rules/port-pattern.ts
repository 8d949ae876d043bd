import { isSingle, rangeText } from './address-range.ts'
import { isRefusal, parseHost, type Refusal, refuse } from './host.ts'
import { networkOfStars } from './pattern-signs.ts'
import { MAX_PORT, parseRange, PORTS, type Recognised, recognise, refuseOtherNames } from './recognise.ts'

export const WILDCARD = 'a wildcard is written *.example.com, and covers every name below'

/** The name of a wildcard, below which it covers every name. @param text starts with `*.` */
export const parentOfWildcard = (text: string): { name: string } | Refusal => {
  const below = text.lastIndexOf('*') > 0 ? refuse(WILDCARD) : parseHost(text.slice(2))
  if (isRefusal(below)) return below
  return typeof below.host === 'string'
    ? { name: below.text }
    : refuse('a wildcard comes before a name; write a network as 10.0.0.0/8')
}

/** A port at the end of a pattern, or several ports as people write them. */
const PORT_END = /:([\d,*-]{1,20})(?:\/(tcp|udp))?$/i

/**
 * Recognises `host:port`, optionally with `/tcp` or `/udp`; without a protocol the rule covers both.
 *
 * @param isName true if the caller states that a name is a host
 * @returns undefined for a pattern without a port
 */
export const servicePattern = (text: string, isName: boolean): Recognised<'service'> | Refusal | undefined => {
  const [end = '', written = '', protocolText] = PORT_END.exec(text) ?? []
  const base = text.slice(0, text.length - end.length)
  const bare = base.startsWith('[') && base.endsWith(']') ? base.slice(1, -1) : base
  // Without brackets it is an IPv6 address, and its last colon does not begin a port.
  if (end === '' || (bare === base && base.includes(':') && !base.includes('/'))) return undefined
  const number = Number(written)
  if (Number.isNaN(number)) return refuse(oneEach(base, written))
  if (!/^\d{1,5}$/.test(written) || number < 1 || number > MAX_PORT) return refuse(PORTS)
  const network = refuseNetwork(bare, number)
  if (network) return network
  const protocol = protocolText === undefined ? null : protocolText.toLowerCase() === 'udp' ? 'udp' : 'tcp'
  const ending = `:${number}${protocol === null ? '' : `/${protocol}`}`
  if (base.startsWith('*.')) {
    const below = parentOfWildcard(base)
    return isRefusal(below)
      ? below
      : {
          kind: 'service',
          canonical: `*.${below.name}${ending}`,
          subject: { host: below.name, port: { number, protocol } },
        }
  }
  const refused = base.includes('*') ? refuse(WILDCARD) : isName ? undefined : refuseOtherNames(base, 'service')
  const value = refused ?? recognise(`${base}:${number}`)
  if (isRefusal(value)) return value
  const host = value.canonical.slice(0, value.canonical.lastIndexOf(':'))
  return {
    kind: 'service',
    canonical: `${host}${ending}`,
    subject: { host: value.subject.host, port: { number, protocol } },
  }
}

const oneEach = (base: string, ports: string): string => {
  const [first] = /\d{1,5}/.exec(ports) ?? []
  return first === undefined
    ? `a rule without a port covers every port: write ${base}`
    : `a rule is for one port: write ${base}:${first}, and a rule for each other port`
}

/** A port of a whole network is likely a mistake, and leaving it out would allow every port, so addresses come first. */
const refuseNetwork = (base: string, port: number): Refusal | undefined => {
  const stars = networkOfStars(base)
  const range = parseRange(base)
  const value = stars !== undefined || base.includes('/') ? recognise(stars ?? base) : undefined
  if (value && isRefusal(value)) return value
  const host = range && !isRefusal(range) ? range : value?.subject.host
  if (range === undefined && value === undefined) return undefined
  if (host === undefined || typeof host === 'string') return refuse(ONE_HOST)
  const first = rangeText({ ...host, last: host.first })
  const at = `${host.family === 6 ? `[${first}]` : first}:${port}`
  return refuse(
    isSingle(host)
      ? `a rule for a port names one host: write ${at}`
      : `${ONE_HOST}: write a rule for each address, such as ${at}, or ${rangeText(host)} for all ports`,
  )
}

const ONE_HOST = 'a rule for a port names one host'
