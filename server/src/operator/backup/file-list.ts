import { PassThrough } from 'node:stream'
import { Check } from 'typebox/value'
import { damaged, readContent } from './content.ts'
import { FILE_LIST, ListedFile, type PortableManifest } from './manifest.ts'

/** The files of a backup, one after the other. @throws EmbeddedPostgresError if the list is damaged */
export async function* readFileList(backup: string, { files }: PortableManifest, signal: AbortSignal): AsyncGenerator<ListedFile> {
  const text = new PassThrough({ encoding: 'utf8' })
  const reading = readContent(backup, files, text, signal)
  // Thrown below, once the lines before it have been read.
  reading.catch(() => text.end())
  try {
    let rest = ''
    for await (const piece of text as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield parse(backup, line)
    }
    await reading
  } catch (error) {
    // A broken stream: `reading` throws which part of the backup is damaged.
    if (text.errored) await reading
    throw error
  } finally {
    text.destroy()
  }
}

const parse = (backup: string, line: string): ListedFile => {
  try {
    const file: unknown = JSON.parse(line)
    if (Check(ListedFile, file)) return file
  } catch {
    // not JSON: as below
  }
  throw damaged(backup, FILE_LIST)
}
