import type { FastifyReply, FastifyRequest } from 'fastify'
import { perMinute } from '../../concurrency/per-minute.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../log.ts'
import { labelOf } from '../routes/request-label.ts'

/**
 * Lines a minute of each status for requests without a key or session: a flood from many addresses must not fill the
 * disk (S39).
 */
const MAX_OF_STRANGERS = 60

/**
 * Logs each answered request; one that took `LOG_SLOW_MS` or longer is a warning (0 for none). Successful reads are
 * logged at `debug`, except those with a key while `ACCESS_LOG` is true. 429s and unbounded requests without a key or
 * session are logged at `debug`, with one line a minute that counts them.
 */
export const requestLog = (
  log: Logger,
  { LOG_SLOW_MS: slowMs, ACCESS_LOG: logsKeys }: Pick<Config, 'LOG_SLOW_MS' | 'ACCESS_LOG'>,
): ((request: FastifyRequest, reply: FastifyReply) => void) => {
  const notLimited = perMinute(0, (requests) =>
    log.info({ requests }, 'requests were refused with 429 in the last minute'),
  )
  const isOneOfFew = perMinute(MAX_OF_STRANGERS, (requests) =>
    log.info({ requests }, 'more requests without a key or session in the last minute, by status'),
  )

  const levelOf = (
    method: string,
    status: number,
    { isStranger, hasKey }: { isStranger: boolean; hasKey: boolean },
  ): 'info' | 'debug' => {
    // The reason of a 503 has its own line, and an overload causes thousands.
    if (status === 503) return 'debug'
    if (method === 'GET' && status < 400) return hasKey && logsKeys ? 'info' : 'debug'
    if (status === 429) return notLimited('429') ? 'info' : 'debug'
    return isStranger && !isOneOfFew(String(status)) ? 'debug' : 'info'
  }

  return (request, reply) => {
    const { method } = request
    const { statusCode: status, elapsedTime } = reply
    const { actor, person } = request.caller ?? {}
    const isStranger = !actor && !person
    const isLate = slowMs > 0 && elapsedTime >= slowMs && !request.routeOptions.config.mayTakeLong && status !== 503
    const isSlow = isLate && (!isStranger || isOneOfFew('slow'))
    const level = isSlow ? 'warn' : levelOf(method, status, { isStranger, hasKey: actor?.kind === 'key' })
    if (!log.isLevelEnabled(level)) return
    const fields = {
      ...labelOf(request),
      status,
      ms: Math.round(elapsedTime),
      address: request.ip,
      actor: actor?.id ?? person?.userId,
    }
    log[level](fields, isSlow ? 'slow request' : 'request')
  }
}
