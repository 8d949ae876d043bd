import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TypstInput } from '../../../src/features/report-renders/typst/document.ts'
import { type PdfLimits, writePdf } from '../../../src/features/report-renders/typst/write-pdf.ts'
import { reportDocument, type TestDocument } from './report-document.ts'

const run = promisify(execFile)
const NEVER = new AbortController().signal
const MAX_BUFFER = 64 * 1024 * 1024

const poppler = async (tool: string, args: readonly string[], pdf: Uint8Array): Promise<string> => {
  const running = run(tool, [...args, '-', ...(tool === 'pdftotext' ? ['-'] : [])], { maxBuffer: MAX_BUFFER })
  running.child.stdin?.end(pdf)
  return (await running).stdout
}

const opened = (password: string | undefined): string[] => (password === undefined ? [] : ['-upw', password])

/** The text of a PDF in the order in which it is written. */
export const pdfText = (pdf: Uint8Array, password?: string): Promise<string> =>
  poppler('pdftotext', ['-raw', ...opened(password)], pdf)
export const pdfFonts = (pdf: Uint8Array): Promise<string> => poppler('pdffonts', [], pdf)
export const pdfInfo = (pdf: Uint8Array, password?: string): Promise<string> =>
  poppler('pdfinfo', opened(password), pdf)

/** What poppler says about the signatures of a PDF; it reads no standard input. */
export const pdfSignatures = async (pdf: Uint8Array, password?: string): Promise<string> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'signed-'))
  try {
    const file = path.join(directory, 'signed.pdf')
    await writeFile(file, pdf)
    return (await run('pdfsig', ['-nocert', ...opened(password), file])).stdout
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Compiles a document with the functions of the product, or with some of a template. */
export const compile = (
  { data, images }: TestDocument = reportDocument(),
  change: Partial<TypstInput> = {},
  limits?: PdfLimits,
) => writePdf({ data, images, overrides: {}, fonts: [], standard: 'a-2a', isExtract: false, ...change }, NEVER, limits)
