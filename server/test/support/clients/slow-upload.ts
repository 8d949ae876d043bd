import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Upload {
  /** The answer; undefined if the connection ended without one. */
  answer: Promise<{ status: number; body: string } | undefined>
  /** Sends bytes; returns once the connection has accepted them. */
  send(bytes: Uint8Array): Promise<void>
  /** Ends the body. */
  end(): void
  /** Closes the connection. */
  breakOff(): void
}

/** An upload that the test sends piece by piece. */
export const openUpload = (url: string, authorization: string, size: number): Upload => {
  const sent = request(url, { method: 'POST', agent: false, headers: { authorization, 'content-length': size } })
  const answer = new Promise<{ status: number; body: string } | undefined>((resolve) => {
    sent.once('error', () => resolve(undefined))
    sent.once('response', (response) => {
      response.setEncoding('utf8')
      void response.toArray().then(
        (parts) => resolve({ status: response.statusCode as number, body: parts.join('') }),
        () => resolve(undefined),
      )
    })
  })
  sent.flushHeaders()
  return {
    answer,
    send: async (bytes) => {
      if (sent.destroyed || sent.write(bytes)) return
      await Promise.race([new Promise((resolve) => sent.once('drain', resolve)), answer])
    },
    end: () => void sent.end(),
    breakOff: () => void sent.destroy(),
  }
}

/** Sends it in small pieces over `durationMs`. @returns the value of `answer` */
export const uploadSlowly = async (upload: Upload, size: number, durationMs: number) => {
  const pieces = Math.ceil(durationMs / 1_000)
  for (let i = 0; i < pieces; i++) {
    await upload.send(Buffer.alloc(Math.floor((size * (i + 1)) / pieces) - Math.floor((size * i) / pieces)))
    await sleep(1_000)
  }
  upload.end()
  return upload.answer
}
