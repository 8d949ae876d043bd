import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The answer of a handler whose endpoint produces events. */
export interface EventStream {
  /** Starts to collect events. @throws ApiError RATE_LIMITED, 503 while the server stops */
  open(): Readable
}

/** Sends events as they come, until either side ends it; HEAD gets only the headers. */
export const sendEvents = (reply: FastifyReply, stream: EventStream): FastifyReply => {
  const events = reply.request.method === 'HEAD' ? Readable.from([]) : stream.open()
  // Turns off buffering in nginx and similar proxies.
  return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(events)
}
