import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import Type, { type Static } from 'typebox'
import { limitTime } from '../../../../platform/concurrency/time-limit.ts'
import { NO_FINITE_FIELDS, TLS_OF_STRANGERS } from '../../../../platform/outbound/tls-of-strangers.ts'
import { canonicalHost, canonicalName } from '../../../inventory/sightings/canonical.ts'
import { certificateSighting } from '../../../inventory/sightings/web-sightings.ts'
import { failureOf, tried, warning } from '../failures.ts'
import { inParallel } from '../in-parallel.ts'
import { hostAlone, tcpPlaceOf } from '../places.ts'
import { speaksOther } from '../ports/services.ts'
import { type Found, type ScanInput, NoAnswer, type ScanAddress, type ScanNetwork, type Scanner } from '../scanner.ts'
import { certificateFacts } from './certificate-facts.ts'
import { greetWithFiniteFields } from './tls-hello.ts'

const AT_ONCE = 20
const VERSIONS: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']
/** Offers weak ciphers too, in order to detect them. Excludes finite fields, whose cost the server chooses. */
const ANY_CIPHER = `ALL:${NO_FINITE_FIELDS}:@SECLEVEL=0`

/** Alerts of a server without a common cipher (RFC 5246, 7.2.2). Its earlier certificate may still be in use. */
const NO_COMMON_CIPHER = /ALERT_(?:HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)/
const ONLY_OTHERS = 'speaks TLS, but supports no cipher that was offered'

const Options = Type.Object(
  {
    timeoutMs: Type.Integer({
      minimum: 100,
      maximum: 30_000,
      default: 5_000,
      description: 'milliseconds for each connection',
    }),
    addTargets: Type.Boolean({
      default: false,
      description: 'names and addresses in certificates that are in scope become targets',
    }),
  },
  { additionalProperties: false },
)
type TlsOptions = Static<typeof Options>

export const tls: Scanner<typeof Options> = {
  id: 'tls',
  name: 'TLS',
  description:
    'Reads certificates, versions and ciphers of TLS services, including known ones. Names and addresses are also tried on port 443; addresses only if the same scan did not look for open ports.',
  takes: ['domain', 'ip', 'cidr', 'url', 'service'],
  produces: ['tls_certificate'],
  asksServices: true,
  options: Options,
  unavailable: () => Promise.resolve(null),
  unitsOf: (input) => (placeOf(input) ? VERSIONS.length : 0),
  run: scanTls,
}

/** Returns the place where TLS may be used. */
const placeOf = (input: ScanInput): ScanAddress | undefined => {
  const host = hostAlone(input)
  if (host !== undefined) return { host, port: 443 }
  if (input.kind === 'service' && speaksOther(input.service)) return undefined
  if (input.kind === 'url' && !/^https:/i.test(input.url)) return undefined
  return tcpPlaceOf(input)
}

async function* scanTls(
  inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
  { timeoutMs, addTargets }: TlsOptions,
  reach: ScanNetwork,
): AsyncGenerator<Found> {
  yield* inParallel(placesOf(inputs), AT_ONCE, reach.signal, async (place) => {
    const found = await look(place, timeoutMs, reach)
    return [...found.filter(({ type }) => addTargets || type !== 'host'), { type: 'done', units: VERSIONS.length }]
  })
}

/** Yields each place once: a name and its service are the same place. */
async function* placesOf(inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>): AsyncGenerator<ScanAddress> {
  const seen = new Set<string>()
  for await (const input of inputs) {
    const place = placeOf(input)
    if (!place || seen.has(`${place.host} ${place.port}`)) continue
    seen.add(`${place.host} ${place.port}`)
    yield place
  }
}

const look = async (place: ScanAddress, timeoutMs: number, reach: ScanNetwork): Promise<readonly Found[]> => {
  try {
    const best = await shakeHands(place, timeoutMs, reach, { minVersion: 'TLSv1', maxVersion: 'TLSv1.3' })
    const versions = [best.version]
    for (const version of VERSIONS)
      if (version !== best.version && (await isSpoken(place, version, timeoutMs, reach))) versions.push(version)
    const sorted = versions.toSorted(
      (a, b) => VERSIONS.indexOf(a as SecureVersion) - VERSIONS.indexOf(b as SecureVersion),
    )
    return sightingOf(place, best, sorted)
  } catch (error) {
    reach.signal.throwIfAborted()
    const { kind, reason } = failureOf(error)
    if (NO_COMMON_CIPHER.test(reason)) return lookForFiniteFields(place, timeoutMs, reach)
    if (kind === 'untouchable') return [{ type: 'skipped', host: place.host, reason: `port ${place.port}: ${reason}` }]
    // Most ports do not use TLS, so this is not logged. A silent port may still have its earlier certificate.
    return kind === 'silent' ? [] : [coverageOf(place)]
  }
}

interface Shown {
  facts: ReturnType<typeof certificateFacts>
  cipher: string
  address: string
}

const sightingOf = (place: ScanAddress, { facts, cipher, address }: Shown, versions: string[]): readonly Found[] => {
  const { host, port } = place
  const seen = { ...facts, host, address, port, serverName: nameOf(place) }
  return tried(`${host} port ${port}`, () => [
    coverageOf(place),
    { type: 'sighting', sighting: certificateSighting({ ...seen, cipher, versions }) },
    ...hostsIn(facts.names).map((name): Found => ({ type: 'host', host: name })),
  ])
}

/** Undefined for an address: SNI supports only names (RFC 6066, 3). */
const nameOf = ({ host }: ScanAddress): string | undefined => (isIP(host) === 0 ? host : undefined)

/** Examines a server that supports only finite fields. Without a certificate, its earlier one is not marked as gone. */
const lookForFiniteFields = async (
  place: ScanAddress,
  timeoutMs: number,
  reach: ScanNetwork,
): Promise<readonly Found[]> => {
  const { host, port } = place
  try {
    const socket = await reach.connect(place, timeoutMs)
    const address = socket.remoteAddress ?? place.address ?? host
    const greeting = await greetWithFiniteFields(socket, nameOf(place), timeoutMs)
    if (!greeting) return [warning(`${host} port ${port}: ${ONLY_OTHERS}`)]
    const { version, cipher, certificate } = greeting
    if (!certificate) return [warning(`${host} port ${port}: speaks ${version} with ${cipher}, without a certificate`)]
    return sightingOf(place, { facts: certificateFacts(certificate, nameOf(place)), cipher, address }, [version])
  } catch (error) {
    reach.signal.throwIfAborted()
    return [warning(`${host} port ${port}: ${ONLY_OTHERS} (${failureOf(error).reason})`)]
  }
}

/** Covers the certificate: an earlier one for the same name is gone. */
const coverageOf = ({ host, port }: ScanAddress): Found => ({
  type: 'coverage',
  coverage: {
    what: 'certificate',
    host: canonicalHost(host) ?? host,
    port,
    serverName: isIP(host) === 0 ? (canonicalName(host) ?? host) : null,
  },
})

/** Drops wildcards. */
const hostsIn = (names: readonly string[] = []): string[] =>
  names.map((name) => canonicalHost(name)).filter((host) => host !== undefined)

const isSpoken = async (
  place: ScanAddress,
  version: SecureVersion,
  timeoutMs: number,
  reach: ScanNetwork,
): Promise<boolean> => {
  try {
    await shakeHands(place, timeoutMs, reach, { minVersion: version, maxVersion: version })
    return true
  } catch (error) {
    reach.signal.throwIfAborted()
    failureOf(error)
    return false
  }
}

/** @throws errors of `ScanNetwork.connect` and `node:tls`, NoAnswer */
const shakeHands = async (
  place: ScanAddress,
  timeoutMs: number,
  reach: ScanNetwork,
  range: { minVersion: SecureVersion; maxVersion: SecureVersion },
) => {
  const socket = await reach.connect(place, timeoutMs)
  const serverName = isIP(place.host) === 0 ? { servername: place.host } : {}
  const address = socket.remoteAddress ?? place.address ?? place.host
  const secure = connect({
    socket,
    ...serverName,
    ...range,
    ...TLS_OF_STRANGERS,
    ciphers: ANY_CIPHER,
    rejectUnauthorized: false,
  })
  secure.on('error', () => undefined)
  const endLimit = limitTime(timeoutMs, () => secure.destroy(new NoAnswer(`no handshake within ${timeoutMs} ms`)))
  try {
    await once(secure, 'secureConnect')
    return { ...spokenBy(secure, place), address }
  } finally {
    endLimit()
    secure.destroy()
    socket.destroy()
  }
}

const spokenBy = (secure: TLSSocket, { host }: ScanAddress) => ({
  version: secure.getProtocol() ?? 'unknown',
  cipher: secure.getCipher().standardName,
  facts: certificateFacts(secure.getPeerX509Certificate(), isIP(host) === 0 ? host : undefined),
})
