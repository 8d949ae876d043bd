import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { IN_SAFE_MODE } from '@sortie/contract/core/errors.ts'
import { request } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import { conflict } from '../../../src/platform/errors.ts'
import { createMailer } from '../../../src/platform/mail/mailer.ts'
import { createOutbound, type Outbound } from '../../../src/platform/outbound/outbound.ts'
import { SESSION_SECRET } from '../../support/app/server-process.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { SmtpSink } from '../../support/providers/smtp-sink.ts'

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-ways-out-'))
const ends: (() => unknown)[] = [() => rmSync(directory, { recursive: true })]
afterAll(async () => {
  for (const end of ends) await end()
})

const IN_SAFE = { requireLive: () => Promise.reject(conflict(IN_SAFE_MODE)) }
const REFUSED = { status: 409, message: IN_SAFE_MODE }

describe('O4: in safe mode', () => {
  test('no outbound function reaches a server: each of them is tried, and refused', async () => {
    const dns = await DnsServer.start()
    ends.push(() => dns.stop())
    const config = parseConfig({ SESSION_SECRET, EGRESS_ALLOW: '127.0.0.1', DNS_SERVERS: dns.address })
    const outbound = createOutbound(config, IN_SAFE)
    const check = () => undefined
    const to = { host: '127.0.0.1', port: 9, check }
    const attempts: Record<Exclude<keyof Outbound, 'namedPorts'>, () => Promise<unknown>> = {
      evaluate: () => outbound.evaluate('name.example', 80),
      connect: () => outbound.connect(to),
      connectUdp: () => outbound.connectUdp(to),
      createHttpAgent: () =>
        request('http://127.0.0.1:9/', { dispatcher: outbound.createHttpAgent({ connectTimeoutMs: 1_000, check }) }),
      openRecords: () => outbound.openRecords().find('name.example', 'TXT'),
    }
    // The ports that settings name are known without a query.
    expect(Object.keys(outbound).toSorted()).toEqual([...Object.keys(attempts), 'namedPorts'].toSorted())
    for (const [name, attempt] of Object.entries(attempts)) await expect(attempt(), name).rejects.toMatchObject(REFUSED)
    expect(dns.asked).toEqual([])
  })

  test('no mail is given to a mail server, and none becomes a file', async () => {
    const sink = await SmtpSink.create()
    await sink.up()
    ends.push(() => sink.down())
    const message = { messageId: '<a@example.com>', to: 'b@example.com', subject: 'c', text: 'd', html: 'd' }
    for (const env of [{}, { SMTP_URL: sink.url }]) {
      const mailer = createMailer(parseConfig({ SESSION_SECRET, DATA_DIR: directory, ...env }), IN_SAFE)
      await expect(mailer.send(message)).rejects.toMatchObject(REFUSED)
      mailer.close()
    }
    expect(readdirSync(directory)).toEqual([])
    expect([sink.attempts, sink.mails]).toEqual([0, []])
  })
})
