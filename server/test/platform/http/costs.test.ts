import { EventEmitter } from 'node:events'
import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { costGate } from '../../../src/platform/http/limits/costs.ts'
import type { Caller } from '../../../src/platform/http/routes/doors.ts'

const endpoint = { id: 'expensive', cost: { perHour: 100, atOnce: 2 } } as unknown as Endpoint
const of = (organizationId: string) => ({ actor: { organizationId } }) as unknown as Caller
const newReply = () => {
  const raw = Object.assign(new EventEmitter(), { closed: false, destroyed: false })
  return { raw, headers: () => undefined } as unknown as FastifyReply & { raw: typeof raw }
}
const refusal = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) as number }

test('R7: a process makes 16 expensive answers at once, for any callers; each that ends frees a slot', async () => {
  const admit = costGate(async () => undefined, systemClock)
  const replies = Array.from({ length: 16 }, newReply)
  for (const [index, reply] of replies.entries()) await admit(endpoint, of(`org_${index}`), {}, reply)
  await expect(admit(endpoint, of('org_16'), {}, newReply())).rejects.toMatchObject(refusal)
  replies[3]?.raw.emit('close')
  await admit(endpoint, of('org_16'), {}, newReply())
  await expect(admit(endpoint, of('org_17'), {}, newReply())).rejects.toMatchObject(refusal)
})

test('R7: a slot is free again when the answer is refused for its rate, when the counter fails, and when the client had disconnected', async () => {
  const counts: (() => Promise<number | undefined>)[] = []
  const admit = costGate(() => (counts.shift() ?? (async () => undefined))(), systemClock)
  const take = async (reply: FastifyReply) => admit(endpoint, of('org_1'), {}, reply)
  for (let n = 0; n < 5; n++) {
    const gone = newReply()
    Object.assign(gone.raw, { closed: true })
    await take(gone)
    for (const answer of [async () => 1_000, () => Promise.reject(new Error('the database is away'))]) {
      counts.push(answer)
      const reply = newReply()
      await expect(take(reply)).rejects.toThrow()
      reply.raw.emit('close')
    }
  }
  await take(newReply())
  await take(newReply())
  await expect(take(newReply())).rejects.toMatchObject(refusal)
})
