import type { Compare } from '../../../platform/files/binding.ts'
import type { Storage } from '../../../platform/files/storage.ts'
import { countFiles, listKnownOrganizations, listSample } from '../files.queries.ts'

/** Files that a bucket is asked for at the same time. */
const AT_ONCE = 20

/** Compares the database with the stored files, by the oldest and the newest hundred files. */
export const compareStorage: Compare = async ({ storage, db }) => {
  const sample = await listSample(db)
  const found = []
  for (let from = 0; from < sample.length; from += AT_ONCE) {
    const asked = sample
      .slice(from, from + AT_ONCE)
      .map(({ id, organization_id: organizationId }) => storage.has({ organizationId, fileId: id }))
    found.push(...(await Promise.all(asked)).filter(Boolean))
  }
  return {
    known: await countFiles(db),
    lookedFor: sample.length,
    found: found.length,
    strange: await countStrangers(storage, (organizationIds) => listKnownOrganizations(db, organizationIds)),
  }
}

const STRANGERS_AT_ONCE = 1_000

/** Counts files of unknown organizations; stops at a thousand. */
const countStrangers = async (
  storage: Storage,
  listKnown: (organizationIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> => {
  let strange = 0
  for await (const files of storage.list(STRANGERS_AT_ONCE)) {
    const known = await listKnown([...new Set(files.map(({ organizationId }) => organizationId))])
    strange += files.filter(({ organizationId }) => !known.has(organizationId)).length
    if (strange >= STRANGERS_AT_ONCE) break
  }
  return strange
}
