// Slow clients in a process of their own, so that they do not slow the sender whose latencies are measured. Arguments:
// those of `slowClients` as JSON. Sends the milliseconds after which each was closed, once the parent asks.
import { slowClients } from '../../server/test/support/clients/slow-clients.ts'

const clients = await slowClients(...(JSON.parse(process.argv[2] ?? '') as Parameters<typeof slowClients>))
process.send?.('opened')
process.once('message', () => {
  process.send?.(clients.closedAfterMs, () => process.exit())
})
