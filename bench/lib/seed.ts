import { createHash } from 'node:crypto'
import { generateKey } from '../../server/src/features/api-keys/authenticate.ts'
import { newId } from '../../server/src/platform/ids.ts'
import { withClient } from './database.ts'

export interface SeededOrganization {
  id: string
  keyId: string
  /** Headers of a request with a key that may read and write the organization. */
  headers: { authorization: string }
}

/** An organization of so many members, one an hour, with an owner and every tenth an admin; and a key. */
export const seedOrganization = (databaseUrl: string, name: string, members: number): Promise<SeededOrganization> =>
  withClient(databaseUrl, async (client) => {
    const id = newId('org')
    const prefix = newId('usr').slice(0, -8)
    await client.query('insert into organizations (id, name, slug, plan, created_at, updated_at) values ($1, $2, $3, $4, now(), now())', [
      id,
      name,
      name,
      'free',
    ])
    await client.query(
      `insert into users (id, name, email, email_key, created_at, updated_at)
        select $1 || lpad(i::text, 8, '0'), 'Person ' || i, i || '.' || $2 || '@example.com', i || '.' || $2 || '@example.com', now(), now()
        from generate_series(1, $3::int) i`,
      [prefix, name, members],
    )
    await client.query(
      `insert into memberships (organization_id, user_id, name, email, role, joined_at, last_seen_at, updated_at)
        select $1, id, name, email, case when n = 1 then 'owner' when n % 10 = 0 then 'admin' else 'member' end,
          date_trunc('hour', now()) - ($3::int - n) * interval '1 hour', now(), now()
        from (select *, row_number() over (order by id) as n from users where starts_with(id, $2)) u order by id`,
      [id, prefix, members],
    )
    const key = await insertKey(client, id, `${prefix}00000001`)
    await client.query('vacuum analyze users, memberships, organizations, api_keys')
    return { id, keyId: key.id, headers: { authorization: `Bearer ${key.value}` } }
  })

type Client = Parameters<Parameters<typeof withClient>[1]>[0]

/** Such as the web interface makes: only its hash is stored. */
export const insertKey = async (client: Client, organizationId: string, createdBy: string) => {
  const value = generateKey('live')
  const id = newId('key')
  await client.query(
    `insert into api_keys (id, organization_id, name, environment, scopes, secret_hash, created_by, created_at)
      values ($1, $2, 'bench', 'live', '{organizations:read,organizations:write}', $3, $4, now())`,
    [id, organizationId, createHash('sha256').update(value).digest(), createdBy],
  )
  return { id, value }
}
