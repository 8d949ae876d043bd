import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { databaseNamed } from './database-named.ts'

/** A new database with the whole schema. */
export const copyTemplate = async () => {
  const postgres = inject('postgres')
  const name = `sortie_test_${randomBytes(6).toString('hex')}`
  await asSuperuser(postgres, `create database ${name} template ${inject('template')}`)
  return databaseNamed(postgres, name)
}

/** Runs statements that the server's own role may not. */
export const asSuperuser = async (settings: ConnectionSettings, statements: string): Promise<void> => {
  await asSuperuserRows(settings, statements)
}

/** @returns the rows of the statement */
export const asSuperuserRows = async <Row extends pg.QueryResultRow>(
  settings: ConnectionSettings,
  statement: string,
): Promise<Row[]> => {
  const client = await newSuperuser(settings)
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** A connection of a role that may do everything; the caller ends it. */
export const newSuperuser = async (settings: ConnectionSettings): Promise<pg.Client> => {
  const client = new pg.Client(settings)
  await client.connect()
  return client
}
