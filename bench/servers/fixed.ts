// The ceiling of the runtime (P2): Fastify as it comes, answering bytes from memory.
import Fastify from 'fastify'

const { MEMBERS = '', ORGANIZATION = '', PORT } = process.env
const server = Fastify()

server.get('/members', async (_request, reply) => reply.type('application/json; charset=utf-8').send(MEMBERS))
server.get('/organization', async (_request, reply) => reply.type('application/json; charset=utf-8').send(ORGANIZATION))

await server.listen({ host: '127.0.0.1', port: Number(PORT) })
