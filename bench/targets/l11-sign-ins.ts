// L11: a flood of sign-ins, from one address and from many, with an API client at the same time.
import { type Bench, inTurn, type Measured } from '../lib/figure.ts'
import { duringDisturbance, flood } from '../lib/load.ts'
import { REFUSING, startWithOrganization } from '../lib/sortie.ts'

const RATE = 200

export const title = `${RATE} sign-ins a second with a wrong password, from one address and from many: the API goes on (count: seconds)`
export const count = 60

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const seconds = bench.count
  const measured = await inTurn([false, true], async (isMany) => {
    const { server, headers } = await startWithOrganization(bench, {
      ...REFUSING,
      ...(isMany && { TRUST_PROXY: '127.0.0.1' }),
    })
    const mix = Array.from({ length: isMany ? RATE * (seconds + 2) : 50 }, (_, i) => ({
      method: 'POST' as const,
      path: '/api/auth/sign-in/email',
      // Each in a different network.
      headers: isMany ? { 'x-forwarded-for': `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` } : {},
      body: { email: `${(i % 50) + 1}.measured@example.com`, password: 'not the password of anyone' },
    }))
    const disturb = await flood(bench, { origin: server.origin, mix, rate: RATE, seconds })
    const name = isMany ? 'many addresses' : 'one address'
    return (await duringDisturbance(bench, { server, headers }, { name, seconds, memoryMb: 150, disturb })).measured
  })
  return measured.flat()
}
