import http, { type IncomingMessage } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { testApp } from '../../support/app/test-app.ts'
import { filesOf, newEngagement, upload } from '../../support/document/files.ts'

/** So few that all are open before the server disconnects the first, which stopped reading. */
const MAX = 8
/** More than the buffers of both sides, so that the server keeps the file open while no one reads. */
const SIZE = 8_000_000

const app = await testApp({ workers: false, maxOpenFiles: MAX })
afterAll(() => app.close())

test('S25: while the maximum number of files is being sent, one more is 503 with Retry-After, and the next is sent once one has ended', async () => {
  const key = await app.withKey(['organizations:read', 'organizations:write'])
  const files = filesOf(await newEngagement(key))
  const { body } = await upload(key, files, Buffer.alloc(SIZE, 'x'), 'large.bin')
  const ask = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      http
        .get(`${app.origin}${files}/${body.data.id}`, { agent: false, headers: key.headers }, resolve)
        .on('error', reject)
    })
  const unread = await Promise.all(Array.from({ length: MAX }, ask))
  try {
    expect(unread.map(({ statusCode }) => statusCode)).toEqual(unread.map(() => 200))
    const refused = await ask()
    refused.resume()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    unread[0]?.destroy()
    await eventually(async () => {
      const again = await ask()
      again.destroy()
      expect(again.statusCode).toBe(200)
    })
  } finally {
    for (const response of unread) response.on('error', () => undefined).destroy()
  }
})
