import { Agent, type IncomingMessage, request } from 'node:http'

/** A request that is certainly in progress: the server has read its head, and waits for its body. */
export interface RequestInProgress {
  /** Sends the body. @returns the answer to it; rejects when the connection ends without one */
  finish(): Promise<{ status: number; connection: string | undefined }>
}

/** Starts a POST on a persistent connection, and returns when the server has asked for the body. */
export const startRequest = async (url: string, authorization: string, body: object): Promise<RequestInProgress> => {
  const text = JSON.stringify(body)
  const agent = new Agent({ keepAlive: true })
  const headers = {
    authorization,
    expect: '100-continue',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  const sent = request(url, { method: 'POST', agent, headers })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  const read = new Promise<void>((resolve) => {
    sent.once('continue', resolve)
  })
  sent.flushHeaders()
  await Promise.race([
    read,
    answer.then(({ statusCode }) => Promise.reject(new Error(`answered ${statusCode} before the body was sent`))),
  ])
  // A caller that never calls `finish` must not get an unhandled rejection.
  answer.catch(() => undefined)
  return {
    finish: async () => {
      sent.end(text)
      const response = await answer
      await response.resume().toArray()
      return { status: response.statusCode as number, connection: response.headers.connection }
    },
  }
}
