import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { isoTime } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { type Keys, sign, verifySignature } from '../../crypto.ts'
import { notFound } from '../../errors.ts'
import { descriptorLimit } from '../limits/descriptors.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'
import { trustedBy } from './address.ts'

/** Facts of a process, for the checks of its limits. */
export interface ProcessFacts {
  /** Open files and connections that the process may have; null if unlimited or unknown. */
  descriptorLimit: number | null
  /** Largest JavaScript heap, in bytes. */
  heapLimitBytes: number
  /** Memory that the process may use (container, systemd), in bytes; null without a limit. */
  memoryLimitBytes: number | null
}

/** How a request arrived, for the checks of the proxy. */
export interface SeenRequest extends ProcessFacts {
  /** The other end of the connection. */
  peer: string
  peerPort: number
  isPeerTrusted: boolean
  /** The address that the server attributes the request to. */
  client: string
  /** The header as it arrived; null if there is none. */
  forwardedFor: string | null
  /** The time of the server, in ISO 8601. */
  now: string
}

const PATH = '/api/health/doctor'
/** The doctor also finds clocks that differ: its question stays valid meanwhile. */
const LIFETIME_MS = 10 * 60_000
/** Pause between the two events of the stream. */
export const STREAM_PAUSE_MS = 1_000

export const DOCTOR_PATHS = { seen: PATH, stream: `${PATH}/stream`, upload: `${PATH}/upload` } as const

/** The header with which the doctor proves that it knows `SESSION_SECRET`. */
export const doctorHeader = (keys: Keys, now: number): { 'x-sortie-doctor': string } => ({
  'x-sortie-doctor': `${now}.${sign(keys.doctor, String(now))}`,
})

export const processFacts = (): ProcessFacts => {
  const descriptors = descriptorLimit()
  const memory = process.constrainedMemory()
  return {
    descriptorLimit: Number.isFinite(descriptors) ? descriptors : null,
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    // Systems without a limit report zero, or more than any machine has.
    memoryLimitBytes: memory > 0 && memory < Number.MAX_SAFE_INTEGER ? memory : null,
  }
}

/**
 * Routes with which `doctor` asks the server through its public address how requests arrive. For requests without a
 * valid header of the doctor they do not exist. They read and change no data.
 */
export const mountDoctor = (
  app: FastifyInstance,
  { config, keys, clock, limits }: { config: Config; keys: Keys; clock: Clock; limits: RequestLimits },
): void => {
  const isTrusted = trustedBy(config.TRUST_PROXY ?? [])
  const options = {
    config: { servesAlways: true, servesUnderLoad: true },
    onRequest: async (request: FastifyRequest, reply: Parameters<RequestLimits['anonymous']>[0]) => {
      if (isDoctor(request, keys, clock)) return limits.uncounted(reply, request.ip)
      await limits.anonymous(reply, request.ip)
      throw notFound('There is no such endpoint.')
    },
  }
  app.get(DOCTOR_PATHS.seen, options, async (request): Promise<SeenRequest> => {
    const { socket, rawHeaders } = request.raw
    const peer = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
    return {
      peer,
      peerPort: socket.remotePort ?? 0,
      isPeerTrusted: isTrusted(peer),
      client: request.ip,
      forwardedFor: headerOf(rawHeaders, 'x-forwarded-for'),
      now: isoTime(clock.now()),
      ...processFacts(),
    }
  })
  app.get(
    DOCTOR_PATHS.stream,
    { ...options, config: { ...options.config, mayTakeLong: true } },
    async (_request, reply) =>
      reply
        .type('text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(twoEvents(), { objectMode: false })),
  )
  app.post(DOCTOR_PATHS.upload, {
    config: { ...options.config, isUpload: true },
    // Answers before the body arrives: a proxy with a limit refuses its size by the header.
    onRequest: async (request, reply) => {
      await options.onRequest(request, reply)
      return reply.header('connection', 'close').send({ accepted: true })
    },
    handler: async () => undefined,
  })
}

async function* twoEvents() {
  yield 'data: first\n\n'
  await sleep(STREAM_PAUSE_MS)
  yield 'data: second\n\n'
}

const isDoctor = ({ headers }: FastifyRequest, keys: Keys, clock: Clock): boolean => {
  const value = headers['x-sortie-doctor']
  const [, at = '', signature = ''] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(typeof value === 'string' ? value : '') ?? []
  return Math.abs(clock.now() - Number(at)) <= LIFETIME_MS && verifySignature(keys.doctor, at, signature)
}

/** All values of a header, as sent; the server has changed `headers` already. */
const headerOf = (rawHeaders: readonly string[], name: string): string | null => {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  return values.length > 0 ? values.join(', ') : null
}
