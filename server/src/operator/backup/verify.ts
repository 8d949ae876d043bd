import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hashFile } from '@sortie/embedded-postgres/files.ts'
import type { Report } from '@sortie/embedded-postgres/types.ts'
import { damaged, nowhere, readContent } from './dump/content.ts'
import { readFileList } from './dump/file-list.ts'
import { FILE_LIST, FILES, type ListedFile, type PortableManifest } from './manifest.ts'

/**
 * Reads all of a backup without restoring it: compares every table and file with its checksum, and the number of files
 * with the rows that name them.
 *
 * @throws EmbeddedPostgresError for the first table or file that is missing or damaged
 */
export const verifyPortable = async (
  backup: string,
  manifest: PortableManifest,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  let bytes = 0
  let files = 0
  for (const table of manifest.tables) {
    await readContent(backup, table, nowhere(), signal)
    report({ bytes: (bytes += table.bytes), files: ++files })
  }
  let stored = 0
  for await (const file of readFileList(backup, manifest, signal)) {
    if (file.path.includes('/')) stored++
    if (file.problem !== 'missing') requireFile(backup, file)
    report({ bytes: (bytes += file.bytes), files: ++files })
    await nextTurn()
    signal.throwIfAborted()
  }
  const rows = manifest.tables.find(({ name }) => name === 'files')?.lines
  if (stored !== rows)
    throw damaged(backup, FILE_LIST, `names ${stored} files, and the table of files has ${rows} rows`)
}

const requireFile = (backup: string, file: ListedFile): void => {
  const name = `${FILES}/${file.path}`
  try {
    const { bytes, sha256 } = hashFile(path.join(backup, name))
    if (bytes !== file.bytes || sha256 !== file.sha256) throw damaged(backup, name)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? damaged(backup, name, 'is missing') : error
  }
}
