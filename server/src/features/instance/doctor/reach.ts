import { lookup as lookUp, Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import type { Config } from '../../../platform/config.ts'

/** Below the time limit of a check: the check reports the reason itself. */
const TIMEOUT_MS = 3_500
/** For each step of the mail server's greeting. */
const MAIL_TIMEOUT_MS = 2_000

/** An answer over HTTP, with what the connection shows. */
export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
  /** The own port of the connection. */
  localPort: number
  /** Milliseconds from the request to the first and to the last byte of the body. */
  firstMs: number
  lastMs: number
}

interface Question {
  method?: 'GET' | 'POST'
  headers?: Record<string, string | number>
  /** Sent at once; the announced length may be larger: then the answer comes before the body. */
  body?: Buffer
}

const MAX_BODY = 65_536

/**
 * Asks over a connection of its own. Accepts every certificate: another check examines it.
 *
 * @throws the error of the connection, or one that names the time
 */
export const ask = (url: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const { request } = url.startsWith('https:') ? https : http
    const sent = request(url, { method, headers, agent: false, rejectUnauthorized: false })
    const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`)), TIMEOUT_MS)
    let localPort = 0
    sent.once('socket', (socket: Socket) => {
      const note = () => (localPort = socket.localPort ?? 0)
      socket.once('connect', note)
      socket.once('secureConnect', note)
    })
    sent.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    sent.once('response', (response) => {
      let text = ''
      let firstMs: number | undefined
      const finish = () => {
        clearTimeout(timer)
        const lastMs = performance.now() - startedAt
        const { statusCode: status = 0 } = response
        resolve({ status, headers: response.headers, body: text, localPort, firstMs: firstMs ?? lastMs, lastMs })
        sent.destroy()
      }
      response.on('data', (chunk) => {
        firstMs ??= performance.now() - startedAt
        text += chunk
        if (text.length > MAX_BODY) finish()
      })
      response.once('end', finish)
      response.once('error', reject)
    })
    if (body) sent.write(body)
    else sent.end()
  })

/** The certificate at an address, whether or not it is valid. */
export interface Presented {
  /** Why a browser refuses it; undefined if it does not. */
  error: string | undefined
  validTo: number
  issuer: string
  names: string
}

/** @throws the error of the connection */
export const presentedCertificate = (url: string): Promise<Presented> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const isName = !/^[\d.]+$|:/.test(host)
    const socket = tls.connect({
      host,
      port: Number(port) || 443,
      ...(isName && { servername: host }),
      rejectUnauthorized: false,
    })
    const timer = setTimeout(() => socket.destroy(new Error('no TLS handshake within 3.5 seconds')), TIMEOUT_MS)
    socket.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      const certificate = socket.getPeerCertificate()
      const { authorizationError } = socket
      const mismatch = tls.checkServerIdentity(host, certificate)?.message
      resolve({
        error: authorizationError ? String(authorizationError) : mismatch,
        validTo: Date.parse(certificate.valid_to),
        issuer: String(certificate.issuer?.O ?? certificate.issuer?.CN ?? 'an unnamed authority'),
        names: certificate.subjectaltname ?? String(certificate.subject?.CN ?? ''),
      })
      socket.destroy()
    })
  })

/** Addresses of a name, as this machine resolves it. @throws the error of the resolver */
export const addressesOf = async (name: string): Promise<string[]> =>
  (await lookUp(name.replace(/^\[(.*)\]$/, '$1'), { all: true })).map(({ address }) => address)

/** @returns undefined if the name servers answer, even that there is no such name; otherwise the error's code */
export const nameServerProblem = async (servers: readonly string[]): Promise<string | undefined> => {
  const resolver = new Resolver({ timeout: 1_500, tries: 1 })
  resolver.setServers(servers)
  try {
    await resolver.resolveNs('.')
    return undefined
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException
    return ['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ESERVFAIL', 'ENOTIMP', 'EFORMERR'].includes(code) ? undefined : code
  }
}

/** What `INFO` of Redis says. @throws the error of the connection */
export const redisFacts = async (url: string): Promise<{ version: string; policy: string; maxMemory: number }> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let reason: Error | undefined
  redis.on('error', (error) => {
    reason ??= error
  })
  try {
    await redis.connect()
    const info = `${await redis.info('server')}\n${await redis.info('memory')}`
    const field = (name: string) =>
      info
        .split('\n')
        .find((line) => line.startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim() ?? ''
    return {
      version: field('redis_version'),
      policy: field('maxmemory_policy'),
      maxMemory: Number(field('maxmemory')) || 0,
    }
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

/**
 * Connects to the mail server, with STARTTLS and sign-in as mails do. Sends no mail.
 *
 * @returns whether the connection is encrypted
 * @throws the refusal of the server
 */
export const tryMailServer = async (url: NonNullable<Config['SMTP_URL']>): Promise<boolean> => {
  const verify = async (requireTLS: boolean) => {
    const address = new URL(url)
    for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout'])
      address.searchParams.set(name, String(MAIL_TIMEOUT_MS))
    if (requireTLS) address.searchParams.set('requireTLS', 'true')
    const transport = createTransport(address.href)
    transport.on('error', () => undefined)
    try {
      await transport.verify()
    } finally {
      transport.close()
    }
  }
  if (new URL(url).protocol === 'smtps:') {
    await verify(false)
    return true
  }
  try {
    await verify(true)
    return true
  } catch (error) {
    const { code, command } = error as { code?: string; command?: string }
    if (code !== 'ETLS' && command !== 'STARTTLS') throw error
    await verify(false)
    return false
  }
}
