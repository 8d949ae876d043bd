import { existsSync } from 'node:fs'
import type { Compare } from '../../../platform/files/binding.ts'
import { filePath } from '../../../platform/files/storage.ts'
import { countStrangers } from '../../../platform/files/stored-files.ts'
import { countFiles, listKnownOrganizations, listSample } from '../files.queries.ts'

/** Compares the database with the files below STORAGE_PATH, by the oldest and the newest hundred files. */
export const compareStorage: Compare = async ({ config, db }) => {
  const { STORAGE_PATH: root } = config
  const sample = await listSample(db)
  const found = sample.filter(({ id, organization_id: organizationId }) =>
    existsSync(filePath({ root, organizationId, fileId: id })),
  )
  return {
    known: await countFiles(db),
    lookedFor: sample.length,
    found: found.length,
    strange: await countStrangers(root, (organizationIds) => listKnownOrganizations(db, organizationIds)),
  }
}
