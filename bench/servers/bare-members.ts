// What P1 compares with: Fastify as it comes, with the server's own query for a page of members. No key, no limit, no headers.
import { listMembers as endpoint } from '@sortie/contract/members.ts'
import Fastify from 'fastify'
import { listMembers } from '../../server/src/features/organizations/members/members.queries.ts'
import { openDatabase } from '../../server/src/platform/database/open.ts'

const { DATABASE_URL = '', ORGANIZATION_ID = '', PORT } = process.env
const { scopedTo } = openDatabase({ connectionString: DATABASE_URL }, (error) => console.error(error))
const db = scopedTo(ORGANIZATION_ID)
const server = Fastify()

// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- this is Fastify, which awaits its handlers
server.get('/members', { schema: { response: { 200: endpoint.reply } } }, async (request) => {
  const { page = '1', perPage = '20' } = request.query as Record<string, string>
  const limit = Number(perPage)
  const { total, members } = await listMembers(db, ORGANIZATION_ID, undefined, limit, (Number(page) - 1) * limit)
  return {
    data: members.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      joinedAt: row.joined_at,
      lastSeenAt: row.last_seen_at,
    })),
    meta: { total, page: Number(page), perPage: limit, totalPages: Math.ceil(total / limit) },
  }
})

await server.listen({ host: '127.0.0.1', port: Number(PORT) })
