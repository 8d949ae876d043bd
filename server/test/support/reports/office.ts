import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Ends a program that hangs, on a slow machine as well. */
const LIMIT_MS = 500_000

/** Opens a Word document with LibreOffice. @returns the text of its pages, as a reader sees it */
export const textByOffice = async (docx: Uint8Array): Promise<string> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sortie-office-'))
  try {
    const file = path.join(directory, 'report.docx')
    await writeFile(file, docx)
    const profile = `-env:UserInstallation=file://${path.join(directory, 'profile')}`
    await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', directory, file], {
      timeout: LIMIT_MS,
    })
    await run('pdftotext', ['-layout', path.join(directory, 'report.pdf'), path.join(directory, 'report.txt')], {
      timeout: LIMIT_MS,
    })
    return await readFile(path.join(directory, 'report.txt'), 'utf8')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
