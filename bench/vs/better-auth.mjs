// better-auth with its organization and API-key plugins on Node's own HTTP server: an organization of so many members
// and a key that represents its owner. How its members are asked for is written to READY_FILE.
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { organization } from 'better-auth/plugins'
import pg from 'pg'

const { DATABASE_URL, PORT, MEMBERS, READY_FILE } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
// The limit that it counts per key stays on, as it does on the other side: far away.
const rateLimit = { enabled: true, timeWindow: 60_000, maxRequests: 1_000_000_000 }
const options = {
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'a secret of the benchmarks, long enough to be one',
  database: pool,
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  emailAndPassword: { enabled: true },
  plugins: [organization({ membershipLimit: 1_000 }), apiKey({ enableSessionForAPIKeys: true, rateLimit })],
}
await (await getMigrations(options)).runMigrations()
const auth = betterAuth(options)

const { user } = await auth.api.signUpEmail({
  body: { name: 'Owner', email: 'owner@example.com', password: 'a password of the benchmarks' },
})
const { id } = await auth.api.createOrganization({ body: { name: 'Bench', slug: 'bench', userId: user.id } })
const { key } = await auth.api.createApiKey({ body: { name: 'bench', userId: user.id } })
const others = `from generate_series(2, ${Number(MEMBERS)}) i`
const columns = 'id, name, email, "emailVerified", "createdAt", "updatedAt"'
await pool.query(
  `insert into "user" (${columns}) select 'u' || i, 'Person ' || i, i || '@example.com', true, now(), now() ${others}`,
)
await pool.query(
  `insert into member (id, "organizationId", "userId", role, "createdAt") select 'm' || i, '${id}', 'u' || i, 'member', now() ${others}`,
)
await pool.query('analyze')
const path = `/api/auth/organization/list-members?organizationId=${id}&limit=20&offset=0`
writeFileSync(READY_FILE, JSON.stringify({ path, headers: { 'x-api-key': key } }))
const handle = toNodeHandler(auth)
http.createServer((request, response) => void handle(request, response)).listen(Number(PORT), '127.0.0.1')
