import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What a handler answers with where its endpoint produces events. */
export interface EventStream {
  /** Begins to collect events. @throws ApiError RATE_LIMITED, 503 while the server stops */
  open(): Readable
}

/** Sends events as they come, until either side ends it; HEAD gets the headers alone. */
export const sendEvents = (reply: FastifyReply, stream: EventStream): FastifyReply => {
  const events = reply.request.method === 'HEAD' ? Readable.from([]) : stream.open()
  // nginx and its kin hold answers back to send them in larger pieces, unless told not to.
  return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(events)
}
