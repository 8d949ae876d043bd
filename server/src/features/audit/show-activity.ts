import type { ActivityEntry } from '@sortie/contract/engagement/engagement-activity.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { mayReadName } from './activity-readers.ts'
import { type ActivityRow, findObjectNames } from './audit.queries.ts'
import { namedBy, nameIn, OWN_NAMES } from './object-names.ts'

/** Entries as the caller may see them, with the names of their objects: at that time or, if the entry has none, now. */
export const showActivity = async (
  db: Database,
  actor: Actor,
  rows: readonly ActivityRow[],
): Promise<Static<typeof ActivityEntry>[]> => {
  const mayRead = (id: string) => mayReadName(actor, id)
  const wanted = rows.flatMap((row) => (nameIn(row, OWN_NAMES) === undefined ? (namedBy(row) ?? []) : []))
  const referred = new Map(rows.map((row) => [row.id, referencesIn(row).filter(mayRead)]))
  const ids = new Set([...wanted, ...[...referred.values()].flat()])
  const names = await findObjectNames(db, actor.organizationId, [...ids].filter(mayRead))
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    object: {
      type: row.object_type,
      id: row.object_id,
      name: nameIn(row, OWN_NAMES) ?? names.get(namedBy(row) ?? '') ?? null,
    },
    before: withoutTitles(row.before as Fields | null, mayRead),
    after: withoutTitles(row.after as Fields | null, mayRead),
    references: (referred.get(row.id) ?? []).flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : { id, name }
    }),
  }))
}

type Fields = Record<string, unknown>

/** Folders, wiki pages and people: what a change of a place or a person refers to. */
const REFERRED = /^(?:fld|wik|usr)_[0-9a-z]{26}$/

const referencesIn = ({ before, after }: Pick<ActivityRow, 'before' | 'after'>): string[] => {
  const values = [before, after].flatMap((fields) => Object.values((fields as Fields | null) ?? {}))
  return [...new Set(values.filter((value) => typeof value === 'string'))].filter((value) => REFERRED.test(value))
}

/** Removes titles of linked objects that the caller may not read. */
const withoutTitles = (fields: Fields | null, mayRead: (id: string) => boolean): Fields | null => {
  if (!Array.isArray(fields?.['links'])) return fields
  const links = (fields['links'] as { id: string }[]).map((link) =>
    mayRead(link.id) ? link : { ...link, title: null },
  )
  return { ...fields, links }
}
