import { isLoopback } from '../../../platform/config/config-values.ts'
import {
  DOCTOR_PATHS,
  doctorHeader,
  type SeenRequest,
  STREAM_PAUSE_MS,
} from '../../../platform/http/server/doctor-route.ts'
import { type Check, type Examined, NotChecked, ok, type PublicAnswer, problem, reasonOf, warning } from './check.ts'
import { ask, presentedCertificate } from './reach.ts'

/** An address of documentation (RFC 5737): no client has it. */
export const CLAIMED_ADDRESS = '203.0.113.77'
const DAY_MS = 24 * 60 * 60 * 1000
const SHORT_HSTS_SECONDS = 180 * 24 * 60 * 60
const CLOCK_WARNING_MS = 5_000
const CLOCK_PROBLEM_MS = 60_000
const DEPLOY = 'take the configuration of deploy/'

const addressOf = ({ FRONTEND_URL }: Examined['config']) => FRONTEND_URL
const isSecure = ({ config }: Examined) => config.FRONTEND_URL.startsWith('https:')
const isLocal = ({ config }: Examined) => isLoopback(new URL(config.FRONTEND_URL).hostname)

/** @throws NotChecked unless the server itself answered at its public address */
const arrived = async (examined: Examined): Promise<PublicAnswer & { seen: SeenRequest }> => {
  const answer = await examined.askPublicAddress().catch(() => undefined)
  if (!answer?.seen) throw new NotChecked('this server does not answer at FRONTEND_URL')
  return { ...answer, seen: answer.seen }
}

const isProxied = ({ seen, localPort }: PublicAnswer): boolean => seen?.peerPort !== localPort

const publicAddress: Check = {
  name: 'public-address',
  run: async (examined) => {
    const url = addressOf(examined.config)
    const fix = `set FRONTEND_URL to the address at which people open Sortie, and start the server; ${DEPLOY}`
    let answer: PublicAnswer
    try {
      answer = await examined.askPublicAddress()
    } catch (error) {
      return problem(`${url} does not answer: ${reasonOf(error)}.`, fix)
    }
    if (answer.seen) return ok(`This server answers at ${url}.`)
    if (answer.body.includes('is not known by that host name'))
      return problem(
        `A proxy at ${url} changes the Host header: the server refuses its requests.`,
        'pass Host on, in nginx: proxy_set_header Host $host; or add the name that it sends to ALLOWED_HOSTS',
      )
    if (answer.status >= 500)
      return problem(
        `A proxy answers at ${url} with ${answer.status}: it does not reach this server.`,
        `correct the address of the server in the proxy (PORT=${examined.config.PORT}), and start the server`,
      )
    return problem(
      `At ${url} another program answers (status ${answer.status}), or a server with another SESSION_SECRET.`,
      fix,
    )
  },
}

const proxyHeaders: Check = {
  name: 'proxy-headers',
  run: async (examined) => {
    const answer = await arrived(examined)
    const { seen } = answer
    const { peer } = seen
    if (!isProxied(answer)) return ok('No proxy is between this check and the server.')
    if (!seen.isPeerTrusted)
      return problem(
        `Requests arrive from a proxy at ${peer}, which TRUST_PROXY does not name: all people have its address, and share its limits.`,
        `TRUST_PROXY=${[...(examined.config.TRUST_PROXY ?? []), peer].join(',')}`,
      )
    const last = seen.forwardedFor?.split(',').at(-1)?.trim()
    if (last === CLAIMED_ADDRESS)
      return problem(
        'The proxy passes X-Forwarded-For on as the client sent it: anyone can claim any address.',
        'set the header in the proxy, in nginx: proxy_set_header X-Forwarded-For $remote_addr',
      )
    if (!last)
      return problem(
        'The proxy sends no X-Forwarded-For: all people have its address, and share its limits.',
        'set the header in the proxy, in nginx: proxy_set_header X-Forwarded-For $remote_addr',
      )
    return ok(`The proxy at ${peer} is trusted and sends the address of the client.`)
  },
}

const eventStreams: Check = {
  name: 'event-streams',
  run: async (examined) => {
    await arrived(examined)
    const url = `${addressOf(examined.config)}${DOCTOR_PATHS.stream}`
    const { status, firstMs, lastMs } = await ask(url, { headers: doctorHeader(examined.keys, Date.now()) })
    const fix = 'turn buffering and compression of text/event-stream off in the proxy, in nginx: proxy_buffering off'
    if (status !== 200) return problem(`The proxy answers an event stream with ${status}.`, fix)
    if (lastMs - firstMs < STREAM_PAUSE_MS / 2)
      return problem('The proxy collects event streams: open pages do not notice changes.', fix)
    return ok('Event streams arrive without delay.')
  },
}

const uploadSize: Check = {
  name: 'upload-size',
  run: async (examined) => {
    await arrived(examined)
    const { UPLOAD_LIMIT_BYTES: limit, FRONTEND_URL } = examined.config
    const headers = {
      ...doctorHeader(examined.keys, Date.now()),
      'content-length': limit,
      'content-type': 'application/octet-stream',
    }
    const fix = `raise the limit of the proxy to UPLOAD_LIMIT_BYTES=${limit}, in nginx: client_max_body_size 0`
    try {
      const question = { method: 'POST', headers, body: Buffer.alloc(16) } as const
      const { status } = await ask(`${FRONTEND_URL}${DOCTOR_PATHS.upload}`, question)
      if (status === 200) return ok(`Files of ${limit} bytes pass.`)
      return problem(`The proxy refuses files of ${limit} bytes with ${status}.`, fix)
    } catch (error) {
      if (!/no answer/.test(reasonOf(error))) return problem(`An upload breaks off: ${reasonOf(error)}.`, fix)
      return warning(
        'The proxy collects uploads before it passes them on: they take its disk, and twice the time.',
        'pass them on as they arrive, in nginx: proxy_request_buffering off',
      )
    }
  },
}

const certificate: Check = {
  name: 'certificate',
  run: async (examined) => {
    const url = addressOf(examined.config)
    if (!isSecure(examined)) {
      if (isLocal(examined)) return ok('FRONTEND_URL is on this machine: no certificate is needed.')
      return problem(
        'FRONTEND_URL is http:// on another machine: passwords travel unencrypted.',
        `put a proxy with a certificate in front (deploy/caddy obtains one), and set FRONTEND_URL=https://${new URL(url).host}`,
      )
    }
    let found
    try {
      found = await presentedCertificate(url)
    } catch (error) {
      return problem(`No TLS connection to ${url}: ${reasonOf(error)}.`, 'listen with TLS there; deploy/ has examples')
    }
    const days = Math.floor((found.validTo - Date.now()) / DAY_MS)
    if (days < 0)
      return problem(`The certificate of ${found.names} expired ${-days} days ago.`, 'renew it, and reload the proxy')
    if (found.error !== undefined)
      return problem(
        `Browsers refuse the certificate of ${found.names} (${found.error}).`,
        'use a certificate of a known authority for this name, with its whole chain (fullchain.pem); for an authority of your own, NODE_EXTRA_CA_CERTS',
      )
    if (days < 14)
      return warning(`The certificate of ${found.names} ends in ${days} days.`, 'renew it, and reload the proxy')
    return ok(`The certificate of ${found.names} by ${found.issuer} is valid for ${days} more days.`)
  },
}

const httpsRedirect: Check = {
  name: 'https-redirect',
  run: async (examined) => {
    if (!isSecure(examined)) throw new NotChecked('FRONTEND_URL is not https://')
    const { hostname, port } = new URL(addressOf(examined.config))
    if (port !== '') return ok(`HTTPS is on port ${port}: nothing is expected on port 80.`)
    let answer
    try {
      answer = await ask(`http://${hostname}/sign-in`)
    } catch {
      return ok('Nothing answers unencrypted requests.')
    }
    const { location = '' } = answer.headers
    if (answer.status >= 300 && answer.status < 400 && location.startsWith('https://'))
      return ok('Unencrypted requests are redirected to HTTPS.')
    return problem(
      `http://${hostname} answers with ${answer.status} and does not redirect to HTTPS.`,
      'redirect in the proxy, in nginx: return 301 https://$host$request_uri',
    )
  },
}

const hsts: Check = {
  name: 'hsts',
  run: async (examined) => {
    if (!isSecure(examined)) throw new NotChecked('FRONTEND_URL is not https://')
    const { headers } = await arrived(examined)
    const value = headers['strict-transport-security'] ?? ''
    const seconds = Number(/max-age=(\d+)/.exec(value)?.[1] ?? 0)
    if (seconds >= SHORT_HSTS_SECONDS)
      return ok(`Strict-Transport-Security lasts ${Math.floor(seconds / 86_400)} days.`)
    return warning(
      value ? `Strict-Transport-Security is "${value}".` : 'The proxy removes Strict-Transport-Security.',
      'pass the header of the server on, in nginx without proxy_hide_header',
    )
  },
}

const proxyClock: Check = {
  name: 'proxy-clock',
  run: async (examined) => {
    const answer = await examined.askPublicAddress().catch(() => undefined)
    const { date } = answer?.headers ?? {}
    if (date === undefined) throw new NotChecked('FRONTEND_URL does not answer with a Date')
    // The header has whole seconds.
    const differenceMs = Math.abs(Date.parse(date) - Date.now())
    const found = `The clock at FRONTEND_URL differs from this one by ${Math.round(differenceMs / 1000)} seconds.`
    const fix = 'synchronize the clocks of both machines: timedatectl set-ntp true'
    if (differenceMs > CLOCK_PROBLEM_MS) return problem(found, fix)
    if (differenceMs > CLOCK_WARNING_MS) return warning(found, fix)
    return ok('The clock at FRONTEND_URL agrees with this one.')
  },
}

export const PROXY_CHECKS: readonly Check[] = [
  publicAddress,
  proxyHeaders,
  eventStreams,
  uploadSize,
  certificate,
  httpsRedirect,
  hsts,
  proxyClock,
]
