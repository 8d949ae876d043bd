// Plain Fastify: with the server's query for a page of members and no key, limit or headers (P1), or with bytes from
// memory (P2).
import { listMembers as endpoint } from '@sortie/contract/organization/members.ts'
import Fastify from 'fastify'
import { listMembers } from '../../server/src/features/organizations/members/members.queries.ts'
import { openDatabase } from '../../server/src/platform/database/connection/open.ts'

const { DATABASE_URL = '', ORGANIZATION_ID = '', BYTES = '', PORT } = process.env
const db = openDatabase({ connectionString: DATABASE_URL }, (error) => console.error(error)).scopedTo(ORGANIZATION_ID)
const server = Fastify()

server.get('/members', { schema: { response: { 200: endpoint.reply } } }, async (request) => {
  const { page = '1', perPage = '20' } = request.query as Record<string, string>
  const limit = Number(perPage)
  const { total, members } = await listMembers(db, ORGANIZATION_ID, undefined, limit, (Number(page) - 1) * limit)
  const data = members.map(({ joined_at: joinedAt, last_seen_at: lastSeenAt, ...row }) => ({
    ...row,
    joinedAt,
    lastSeenAt,
  }))
  return { data, meta: { total, page: Number(page), perPage: limit, totalPages: Math.ceil(total / limit) } }
})
server.get('/bytes', async (_request, reply) => reply.type('application/json; charset=utf-8').send(BYTES))

await server.listen({ host: '127.0.0.1', port: Number(PORT) })
