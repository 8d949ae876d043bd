import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { ProxiedClient } from '../../support/network/proxied-client.ts'
import { startProxy } from '../../support/network/real-proxy.ts'
import { describeProxy } from './proxy-guarantees.ts'

describeProxy('haproxy')

const stage = createStage()
afterAll(() => stage.close())

/** @param healthMs how long it takes to say that it is well */
const service = async (status: number, healthMs: number) => {
  let asked = 0
  const server = createServer((request, response) => {
    const isHealth = request.url === '/api/health'
    if (isHealth) asked++
    void sleep(isHealth ? healthMs : 0).then(() => response.writeHead(status).end('{}'))
  }).listen(0, '127.0.0.1')
  stage.add(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: (server.address() as AddressInfo).port, asked: () => asked }
}

test.each([
  ['late', 1_500],
  ['later than a check lasts', 6_000],
])(
  'O5: reads go to the service that serves while the other one starts, also where its health comes %s',
  async (_what, healthMs) => {
    const [starting, busy] = [await service(503, 0), await service(200, healthMs)]
    const client = new ProxiedClient(await startProxy(stage, 'haproxy', [starting.port, busy.port]))
    stage.add(() => client.close())
    await eventually(() => expect([starting.asked() > 3, busy.asked() > 2]).toEqual([true, true]), 60_000)
    for (let read = 0; read < 10; read++) expect((await client.get(`/read/${read}`)).status).toBe(200)
  },
)

test('O5: a service that ended and starts again, sooner than checks notice, gets no reads before it is well', async () => {
  const listen = async (status: number, port = 0) => {
    const server = createServer((_request, response) => response.writeHead(status).end('{}')).listen(port, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const end = () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    stage.add(() => end())
    return { port: (server.address() as AddressInfo).port, end }
  }
  const [victim, other] = [await listen(200), await listen(200)]
  const client = new ProxiedClient(await startProxy(stage, 'haproxy', [victim.port, other.port]))
  stage.add(() => client.close())
  const read = async () => expect((await client.get('/read')).status).toBe(200)
  await read()
  await victim.end()
  for (let reads = 0; reads < 4; reads++) await read()
  await listen(503, victim.port)
  for (let reads = 0; reads < 20; reads++) await read()
})
