import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../errors.ts'
import { VERSION } from '../../version.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'

/** Placeholder of the address of the instance in the built file. */
const ADDRESS_MARK = '@@SORTIE_INSTANCE@@'

/**
 * `GET /api/cli`: the command line of testers, with the address of this instance in it. No key, counted per client
 * address. 404 if it is not built.
 */
export const mountCli = (
  app: FastifyInstance,
  { file, address }: { file: string; address: string },
  limits: RequestLimits,
): void => {
  // The mark is within a string of the program, in which a quote would end it.
  const written = new URL(address).href.replaceAll("'", '%27')
  const program = existsSync(file)
    ? Buffer.from(readFileSync(file, 'utf8').replaceAll(ADDRESS_MARK, written))
    : undefined
  const digest = program && `sha-256=:${createHash('sha256').update(program).digest('base64')}:`
  app.route({
    method: 'GET',
    url: '/api/cli',
    config: { servesAlways: true },
    onRequest: (request, reply) => limits.anonymous(reply, request.ip),
    handler: async (_request, reply) => {
      if (!program) throw notFound('The command line is not built here: `npm run build` builds it.')
      return reply
        .headers({
          'content-type': 'text/javascript; charset=utf-8',
          'content-disposition': 'attachment; filename="sortie.mjs"',
          'cache-control': 'no-cache',
          'x-sortie-version': VERSION,
          'repr-digest': digest,
        })
        .send(program)
    },
  })
}
