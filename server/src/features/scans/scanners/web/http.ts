import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import { canonicalHost, canonicalUrl } from '../../../inventory/sightings/canonical.ts'
import { serviceSighting } from '../../../inventory/sightings/sightings.ts'
import { httpResponseSighting, originOf, technologySighting } from '../../../inventory/sightings/web-sightings.ts'
import { failureOf, info, tried } from '../failures.ts'
import { inParallel } from '../in-parallel.ts'
import { hostAlone, hostOfUrl, portOfUrl } from '../places.ts'
import { speaksOther } from '../ports/services.ts'
import type { Found, ScanInput, ScanNetwork, Scanner } from '../scanner.ts'
import { faviconHash } from './favicon-hash.ts'
import { type Answer, fetchOnce } from './fetch-once.ts'
import { technologiesOf, titleOf } from './technologies.ts'

const AT_ONCE = 20
const MAX_REDIRECTS = 5
/** A request with its redirects and icon. For a service, both protocols may be tried. */
const UNITS = 2
const TLS_PORTS = new Set([443, 832, 981, 1311, 4443, 5443, 6443, 7443, 8443, 8834, 9443, 10_443])

const Options = Type.Object(
  {
    timeoutMs: Type.Integer({
      minimum: 100,
      maximum: 30_000,
      default: 10_000,
      description: 'milliseconds for each connection and each response',
    }),
    followRedirects: Type.Boolean({ default: true, description: 'also to other hosts that the scope rules allow' }),
  },
  { additionalProperties: false },
)
type HttpOptions = Static<typeof Options>

export const http: Scanner<typeof Options> = {
  id: 'http',
  name: 'HTTP',
  description:
    'Requests URLs and open HTTP services, including known ones: status, title, headers, redirects, favicon, technologies. Names and addresses are also requested on ports 443 and 80; addresses only if the same scan did not look for open ports.',
  takes: ['domain', 'ip', 'cidr', 'url', 'service'],
  produces: ['http_response', 'service', 'technology'],
  asksServices: true,
  options: Options,
  unavailable: () => Promise.resolve(null),
  unitsOf: (input) => (candidatesOf(input).length > 0 ? UNITS : 0),
  run: scanHttp,
}

/** A URL to request. Candidates of one place are ordered by likelihood. */
interface Candidate {
  url: URL
  /** Address of the name, if already resolved. */
  address?: string | undefined
}

const candidatesOf = (input: ScanInput): Candidate[] => {
  if (input.kind === 'url') return URL.canParse(input.url) ? [{ url: new URL(input.url) }] : []
  const host = hostAlone(input)
  if (host !== undefined)
    return ['https', 'http'].map((scheme) => ({ url: new URL(`${scheme}://${hostInUrl(host)}/`) }))
  if (input.kind !== 'service' || input.protocol !== 'tcp' || speaksOther(input.service)) return []
  const { name, address, port, service = '' } = input
  const schemes = TLS_PORTS.has(port) || /https|ssl|tls/.test(service) ? ['https', 'http'] : ['http', 'https']
  const known = name !== undefined && isIP(address) !== 0 ? { address } : {}
  return schemes.map((scheme) => ({ url: new URL(`${scheme}://${hostInUrl(name ?? address)}:${port}/`), ...known }))
}

const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

async function* scanHttp(
  inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
  options: HttpOptions,
  reach: ScanNetwork,
): AsyncGenerator<Found> {
  const askedIcons = new Set<string>()
  yield* inParallel(placesOf(inputs), AT_ONCE, reach.signal, async (candidates) => [
    ...(await askFirst(candidates, options, reach, askedIcons)),
    { type: 'done', units: UNITS },
  ])
}

/** Yields each place once: a name and its service are the same place. */
async function* placesOf(inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>): AsyncGenerator<Candidate[]> {
  const seen = new Set<string>()
  for await (const input of inputs) {
    const candidates = candidatesOf(input)
    const key = candidates[0]?.url.href
    if (key === undefined || seen.has(key)) continue
    seen.add(key)
    yield candidates
  }
}

/**
 * Requests the candidates until one responds with HTTP. A web server that receives HTTP on a TLS port responds with
 * 400: then the other candidate wins.
 */
const askFirst = async (
  candidates: readonly Candidate[],
  options: HttpOptions,
  reach: ScanNetwork,
  askedIcons: Set<string>,
): Promise<readonly Found[]> => {
  const skipped: Found[] = []
  const looked: Found[] = []
  let fallback: readonly Found[] | undefined
  for (const { url, address } of candidates) {
    try {
      const first = await fetchOnce(url, address, options.timeoutMs, reach)
      const found = await follow(first, options, reach, askedIcons)
      if (!(url.protocol === 'http:' && first.status === 400 && candidates.length > 1)) return [...looked, ...found]
      fallback ??= found
    } catch (error) {
      reach.signal.throwIfAborted()
      const { kind, reason } = failureOf(error)
      if (kind === 'untouchable')
        skipped.push({ type: 'skipped', host: url.hostname, reason: `port ${portOfUrl(url)}: ${reason}` })
      // A silent URL may still have its earlier response.
      else if (kind !== 'silent') looked.push(...coverageOf(url))
    }
  }
  return [...looked, ...(fallback ?? skipped.slice(0, 1))]
}

/** Covers the URL: an earlier response that it no longer gives is gone. */
const coverageOf = (url: URL): Found[] => {
  const [canonical, host] = [canonicalUrl(url.href), canonicalHost(hostOfUrl(url))]
  return canonical && host !== undefined
    ? [{ type: 'coverage', coverage: { what: 'url', host, url: canonical.href } }]
    : []
}

const follow = async (
  first: Answer,
  { followRedirects, timeoutMs }: HttpOptions,
  reach: ScanNetwork,
  askedIcons: Set<string>,
): Promise<readonly Found[]> => {
  const found: Found[] = []
  let answer = first
  for (let hop = 0; ; hop++) {
    const icon = askedIcons.has(answer.url.origin) ? undefined : await iconOf(answer, timeoutMs, reach)
    askedIcons.add(answer.url.origin)
    found.push(...stated(answer, icon))
    const next = nextOf(answer)
    if (!followRedirects || !next || hop === MAX_REDIRECTS) return found
    const isElsewhere = next.hostname !== answer.url.hostname
    try {
      if (isElsewhere && !(await reach.isInScope({ host: next.hostname, url: next })))
        return [...found, info(`${answer.url.href} redirects to ${next.href}, which no scope rule covers`)]
      answer = await fetchOnce(next, isElsewhere ? undefined : answer.address, timeoutMs, reach)
    } catch (error) {
      reach.signal.throwIfAborted()
      return [
        ...found,
        info(`${answer.url.href} redirects to ${next.href}, which does not respond: ${failureOf(error).reason}`),
      ]
    }
  }
}

/** Returns the redirect's URL, for HTTP only; undefined for a redirect to itself. */
const nextOf = ({ url, status, headers }: Answer): URL | undefined => {
  const location = headers['location']
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url.href)) return undefined
  const next = new URL(location, url)
  next.hash = ''
  return /^https?:$/.test(next.protocol) && next.username === '' && next.href !== url.href ? next : undefined
}

const iconOf = async ({ url, address }: Answer, timeoutMs: number, reach: ScanNetwork): Promise<string | undefined> => {
  try {
    const { status, body, isWhole } = await fetchOnce(new URL('/favicon.ico', url), address, timeoutMs, reach)
    return status === 200 && isWhole && body.length > 0 ? faviconHash(body) : undefined
  } catch (error) {
    reach.signal.throwIfAborted()
    failureOf(error)
    return undefined
  }
}

const stated = (answer: Answer, icon: string | undefined): readonly Found[] => {
  const { url, address, status, headers, body, isWhole, sha256 } = answer
  const port = portOfUrl(url)
  const host = hostOfUrl(url)
  const askedName = isIP(host) === 0 ? host : undefined
  const isTls = url.protocol === 'https:'
  const text = body.toString('utf8')
  const technologies = technologiesOf(headers, text)
  return tried(url.href, () => [
    {
      type: 'sighting',
      sighting: httpResponseSighting({
        url: url.href,
        address,
        status,
        title: titleOf(text),
        length: isWhole ? body.length : lengthIn(headers),
        contentType: headers['content-type'],
        server: headers['server'],
        location: headers['location'],
        headers,
        faviconHash: icon,
        ...(isWhole && { bodySha256: sha256 }),
      }),
    },
    {
      type: 'sighting',
      sighting: serviceSighting({
        host: address,
        askedName,
        protocol: 'tcp',
        port,
        name: isTls ? 'https' : 'http',
        ...(isTls && { tunnel: 'ssl' }),
      }),
    },
    ...technologies.map(({ name, version }): Found => ({
      type: 'sighting',
      sighting: technologySighting({ asset: originOf(url), host, address, port, name, version }),
    })),
  ])
}

const lengthIn = (headers: Record<string, string>): number | undefined => {
  const length = headers['content-length']
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}
