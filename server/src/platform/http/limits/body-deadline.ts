import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Together with the idle timeout, this keeps a slow body from holding a connection for 20 s (fault case F11). */
const BODY_TIMEOUT_MS = 17_000
/** Allows a gigabyte on a slow line. The idle timeout ends an upload that stops arriving. */
const UPLOAD_TIMEOUT_MS = 6 * 60 * 60 * 1000

/**
 * Limits the time until an announced body has arrived completely. Node's `requestTimeout` is one number for all
 * requests, and a file takes longer than other bodies.
 *
 * @param onLate answers on the socket and closes it
 */
export const limitBody = (
  request: IncomingMessage,
  response: ServerResponse,
  isUpload: boolean,
  onLate: (socket: Socket) => void,
): void => {
  const expire = () => {
    if (request.complete) return
    if (response.headersSent) request.socket.destroy()
    else onLate(request.socket)
  }
  let timer = setTimeout(expire, isUpload ? UPLOAD_TIMEOUT_MS : BODY_TIMEOUT_MS).unref()
  request.once('close', () => clearTimeout(timer))
  if (!isUpload) return
  // The rest of a refused file is no longer needed.
  response.once('finish', () => {
    clearTimeout(timer)
    if (!request.complete) timer = setTimeout(expire, BODY_TIMEOUT_MS).unref()
  })
}
