import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import { createMailer } from '../../../src/platform/mail/mailer.ts'
import { SESSION_SECRET } from '../../support/app/server-process.ts'

const LIVE = { requireLive: async () => undefined }
const SHORT_MS = 150
const MESSAGE = { messageId: '<a@example.com>', to: 'b@example.com', subject: 'c', text: 'd', html: 'd' }

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

/** A mail server that accepts connections and is silent, or falls silent after its greeting. */
const silentServer = async (greeting = ''): Promise<string> => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    if (greeting) socket.write(greeting)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const mailerFor = (url: string, limits: { greetingTimeout: number; socketTimeout: number }) => {
  const mailer = createMailer(parseConfig({ SESSION_SECRET, SMTP_URL: url }), LIVE, {
    connectionTimeout: 60_000,
    ...limits,
  })
  ends.push(mailer.close)
  return mailer
}

test('a mail server that accepts the connection and says nothing: the mail fails after the time-out of its greeting', async () => {
  const mailer = mailerFor(await silentServer(), { greetingTimeout: SHORT_MS, socketTimeout: 60_000 })
  await expect(mailer.send(MESSAGE)).rejects.toMatchObject({ code: 'ETIMEDOUT', command: 'CONN' })
})

test('a mail server that greets and then says nothing: the mail fails after the time-out of an answer', async () => {
  const url = await silentServer('220 mail.example.com ESMTP\r\n')
  const mailer = mailerFor(url, { greetingTimeout: 60_000, socketTimeout: SHORT_MS })
  await expect(mailer.send(MESSAGE)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})
