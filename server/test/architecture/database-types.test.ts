import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asSuperuser, copyTemplate } from '../support/database/test-databases.ts'
import { generateDatabaseTypes, TYPES_FILE } from '../support/document/database-types.ts'

const OUT_OF_DATE = `${TYPES_FILE} differs from the migrations: run "npm run db:types"`

test('types.gen.ts is what the migrations generate', async () => {
  const settings = await copyTemplate()
  expect(await generateDatabaseTypes(settings), OUT_OF_DATE).toBe(readFileSync(TYPES_FILE, 'utf8'))
})

test('generated types differ once a column or a checked value is added, and have a union for each closed set', async () => {
  const settings = await copyTemplate()
  const before = await generateDatabaseTypes(settings)
  await asSuperuser(
    settings,
    `create table samples (
      plain text not null,
      state text not null check (state in ('new', 'it''s done', 'a,b')),
      "order" text check ("order" in ('first', 'last')),
      started text not null default 'no' check (started in ('no', 'yes')),
      tags text[] not null check (tags <@ array['red', 'blue']),
      level smallint not null check (level between 0 and 4),
      size text not null check (length(size) < 5),
      check (state <> 'new' or plain in ('x', 'y'))
    )`,
  )
  const after = await generateDatabaseTypes(settings)
  expect(after).not.toBe(before)
  const body = /export interface Samples \{\n([^}]*)\}/.exec(after)?.[1]
  expect(
    Object.fromEntries([...(body ?? '').matchAll(/^ {2}(\w+): (.*);$/gm)].map(([, name, type]) => [name, type])),
  ).toEqual({
    plain: 'string',
    state: `"new" | "it's done" | "a,b"`,
    order: '"first" | "last" | null',
    started: 'Generated<"no" | "yes">',
    tags: 'ArrayType<"red" | "blue">',
    level: 'number',
    size: 'string',
  })
  await asSuperuser(
    settings,
    "alter table samples drop constraint samples_state_check, add check (state in ('new', 'old'))",
  )
  expect(await generateDatabaseTypes(settings)).toContain('state: "new" | "old";')
})
