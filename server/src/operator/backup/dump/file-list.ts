import { PassThrough } from 'node:stream'
import { Check } from 'typebox/value'
import { FILE_LIST, ListedFile, type PortableManifest } from '../manifest.ts'
import { damaged, readContent } from './content.ts'

/** Yields the files of a backup. @throws EmbeddedPostgresError when the list is damaged */
export async function* readFileList(
  backup: string,
  { files }: PortableManifest,
  signal: AbortSignal,
): AsyncGenerator<ListedFile> {
  const text = new PassThrough({ encoding: 'utf8' })
  const reading = readContent(backup, files, text, signal)
  // The error is thrown below, after the lines before it.
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
    // When the stream broke, `reading` names the damaged file.
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
    // not JSON: handled below
  }
  throw damaged(backup, FILE_LIST)
}
