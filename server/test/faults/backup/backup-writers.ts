import assert from 'node:assert/strict'
import pg from 'pg'
import type { TestClient } from '../../support/app/test-client.ts'
import { filesOf, newEngagement, upload } from '../../support/document/files.ts'

export interface Written {
  /** Names of engagements, each recorded once its request was acknowledged. */
  engagements: string[]
  /** Addresses of invited people. */
  invitations: string[]
  /** Names of files, each recorded once its upload was acknowledged. */
  files: string[]
}

/** The content of a file of this name. */
export const contentOf = (name: string): string => name.repeat(500)

/**
 * Writes continuously until it is stopped: engagements, invitations (with mail and job), files with their rows, and
 * memberships, which counters depend on.
 *
 * @param deletesFiles also uploads other files and deletes each at once
 */
export const startWriters = (key: TestClient, database: pg.ClientConfig, { deletesFiles = false } = {}) => {
  const written: Written = { engagements: [], invitations: [], files: [] }
  let going = true
  const engagement = async (name: string) => assert.equal((await key.post('/api/v1/engagements', { name })).status, 201)
  const loop = async (step: (n: number) => Promise<void>) => {
    for (let n = 0; going; n++) await step(n)
  }
  const writing = Promise.all([
    ...[0, 1, 2].map((writer) =>
      loop(async (n) => {
        await engagement(`engagement ${writer}-${n}`)
        written.engagements.push(`engagement ${writer}-${n}`)
      }),
    ),
    loop(async (n) => {
      const email = `invited.${n}@example.com`
      assert.equal(
        (await key.post('/api/v1/organizations/current/members/invite', { email, role: 'member' })).status,
        201,
      )
      written.invitations.push(email)
    }),
    uploadFiles(key, written.files, loop),
    ...(deletesFiles ? [deleteFiles(key, loop)] : []),
    writeMemberships(database, () => going),
  ])
  return {
    written,
    stop: async (): Promise<void> => {
      going = false
      await writing
    },
  }
}

const uploadFiles = async (
  key: TestClient,
  uploaded: string[],
  loop: (step: (n: number) => Promise<void>) => Promise<void>,
) => {
  const files = filesOf(await newEngagement(key))
  await loop(async (n) => {
    const name = `file-${n}`
    assert.equal((await upload(key, files, contentOf(name), name)).status, 201)
    uploaded.push(name)
  })
}

const deleteFiles = async (key: TestClient, loop: (step: (n: number) => Promise<void>) => Promise<void>) => {
  const files = filesOf(await newEngagement(key))
  await loop(async (n) => {
    const { status, body } = await upload(key, files, contentOf(`gone-${n}`), `gone-${n}`)
    assert.equal(status, 201)
    assert.equal((await key.delete(`${files}/${body.data.id}`)).status, 200)
  })
}

/** Ten people join at once and one of them leaves: by SQL, because joining needs mails and passwords. */
const writeMemberships = async (database: pg.ClientConfig, going: () => boolean) => {
  const client = new pg.Client(database)
  await client.connect()
  for (let round = 0; going(); round++) {
    await client.query('begin')
    await client.query(
      `insert into users (id, name, email, email_key, created_at, updated_at)
       select 'usr_' || $1::text || '_' || n, 'Person', 'p' || $1::text || n || '@example.com', 'p' || $1::text || '-' || n || '@example.com', now(), now()
       from generate_series(1, 10) n`,
      [round],
    )
    await client.query(
      `insert into memberships (organization_id, user_id, name, email, role, joined_at, updated_at)
       select o.id, u.id, u.name, u.email, 'member', now(), now() from users u, organizations o where u.id like 'usr_' || $1::text || '\\_%'`,
      [round],
    )
    await client.query(`delete from memberships where user_id = 'usr_' || $1::text || '_1'`, [round])
    await client.query('commit')
  }
  await client.end()
}
