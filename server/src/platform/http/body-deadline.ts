import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** With the limit of silence, no client that sends its body slowly holds a connection for 20 s (fault case F11). */
const BODY_TIMEOUT_MS = 17_000
/** A file of a gigabyte on a slow line. What stops arriving is ended by the limit of silence. */
const UPLOAD_TIMEOUT_MS = 6 * 60 * 60 * 1000

/**
 * Gives the body that a request announces its time to arrive whole. Node's own `requestTimeout` is one number for all requests, and a
 * file takes longer than the others.
 *
 * @param onLate answers on the socket and closes it
 */
export const limitBody = (request: IncomingMessage, response: ServerResponse, isUpload: boolean, onLate: (socket: Socket) => void): void => {
  const expire = () => {
    if (request.complete) return
    if (response.headersSent) request.socket.destroy()
    else onLate(request.socket)
  }
  let timer = setTimeout(expire, isUpload ? UPLOAD_TIMEOUT_MS : BODY_TIMEOUT_MS).unref()
  request.once('close', () => clearTimeout(timer))
  if (!isUpload) return
  // What is left of a file that was refused is no longer wanted.
  response.once('finish', () => {
    clearTimeout(timer)
    if (!request.complete) timer = setTimeout(expire, BODY_TIMEOUT_MS).unref()
  })
}
