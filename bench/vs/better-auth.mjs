// better-auth with its organization and API-key plugins on Node's own HTTP server: an organization of 100 members and a key
// that stands for its owner. Both are written to READY_FILE.
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { organization } from 'better-auth/plugins'
import pg from 'pg'

const { DATABASE_URL, PORT, MEMBERS, READY_FILE } = process.env
const origin = `http://127.0.0.1:${PORT}`
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const options = {
  baseURL: origin,
  secret: 'a secret of the benchmarks, long enough to be one',
  database: pool,
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  emailAndPassword: { enabled: true },
  plugins: [
    organization({ membershipLimit: 1_000 }),
    // The limit that it counts per key stays on, as it does on the other side: far away.
    apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: true, timeWindow: 60_000, maxRequests: 1_000_000_000 } }),
  ],
}
await (await getMigrations(options)).runMigrations()
const auth = betterAuth(options)

const { user } = await auth.api.signUpEmail({ body: { name: 'Owner', email: 'owner@example.com', password: 'a password of the benchmarks' } })
const created = await auth.api.createOrganization({ body: { name: 'Bench', slug: 'bench', userId: user.id } })
const { key } = await auth.api.createApiKey({ body: { name: 'bench', userId: user.id } })
for (let i = 2; i <= Number(MEMBERS); i++) {
  const id = `user-${String(i).padStart(8, '0')}`
  await pool.query(`insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt") values ($1, $2, $3, true, now(), now())`, [
    id,
    `Person ${i}`,
    `${i}@example.com`,
  ])
  await pool.query(`insert into member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, 'member', now())`, [
    `member-${i}`,
    created.id,
    id,
  ])
}
await pool.query('analyze')

writeFileSync(READY_FILE, JSON.stringify({ key, organizationId: created.id }))
const handle = toNodeHandler(auth)
http.createServer((request, response) => void handle(request, response)).listen(Number(PORT), '127.0.0.1')
