// The server without a limiter (P7): it counts nothing, and every window is new.
import { LocalRateLimiter, windowOf } from '../../server/src/platform/http/limits/rate-limit.ts'

const open = (_bucket: string, limit: number) => windowOf(limit, 0, 0, 1_000)
Object.assign(LocalRateLimiter.prototype, { consume: open, peek: open, known: open })
await import('../../server/src/process/main.ts')
