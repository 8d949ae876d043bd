import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A socket on which nothing moved for a while is closed, since its client is gone or slow. While a file passes, the
 * server itself may be the slow side: its storage takes or gives no bytes. Then the connection stays, and the limits of
 * the storage lead to an answer.
 *
 * @param checkMs milliseconds until the next look
 */
export const excuseStorage = (request: IncomingMessage, response: ServerResponse, checkMs: number): void => {
  response.on('timeout', () => {
    const { socket } = request
    const hasAllOrUnreadBytes = request.complete || request.readableLength > 0
    const clientHasEverything = response.writableLength === 0 && socket.writableLength === 0
    if (hasAllOrUnreadBytes && clientHasEverything && !response.writableEnded) socket.setTimeout(checkMs)
    else socket.destroy()
  })
}
