import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NodeCompiler, type NodeError, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import { problem, type TypstInput, type TypstOutput, type TypstProblem } from './document.ts'
import { prepare } from './prepare.ts'

/** No directory can be below a device: whatever is not in memory does not exist. */
const ROOT = '/dev/null/report'
const TEMPLATE = fileURLToPath(new URL('template/', import.meta.url))
/** An image that cannot be decoded, or a character without a glyph, costs one more attempt. */
const MAX_ATTEMPTS = 4
const SECOND_MS = 1_000
const STANDARDS = { 'a-2a': 'PDF/A-2a', 'ua-1': 'PDF/UA-1', '2.0': 'PDF 2.0' } as const satisfies Record<
  TypstInput['standard'],
  string
>

/** Our functions are below `built-in/`; each of their names leads to the template's own, if it has one. */
const sourcesOf = (overrides: Readonly<Record<string, string>>): Map<string, string> => {
  const sources = new Map<string, string>()
  for (const file of readdirSync(TEMPLATE))
    if (file.endsWith('.typ')) sources.set(`/${file}`, readFileSync(TEMPLATE + file, 'utf8'))
  for (const file of readdirSync(`${TEMPLATE}functions`)) {
    sources.set(`/built-in/${file}`, readFileSync(`${TEMPLATE}functions/${file}`, 'utf8'))
    sources.set(`/${file}`, overrides[file] ?? `#import "/built-in/${file}": *\n`)
  }
  return sources
}

/** Compiles a document in this process, which its caller limits in time and memory. */
export const compile = (input: TypstInput): TypstOutput => {
  const refused = new Set<string>()
  const unseen = new Set<number>()
  for (let attempt = 1; ; attempt++) {
    const outcome = compileOnce(input, refused, unseen)
    const learned = refused.size + unseen.size
    outcome.learn?.()
    if (refused.size + unseen.size === learned || attempt === MAX_ATTEMPTS) return outcome.output
  }
}

interface Attempt {
  output: TypstOutput
  /** After an error that another attempt can avoid. */
  learn?: () => void
}

const compileOnce = (input: TypstInput, refused: Set<string>, unseen: Set<number>): Attempt => {
  const { json, fonts, files, problems } = prepare(input, refused, unseen)
  const sources = sourcesOf(input.overrides)
  const compiler = NodeCompiler.create({ workspace: ROOT, fontArgs: [{ fontBlobs: fonts.blobs }] })
  for (const [path, source] of sources) compiler.addSource(ROOT + path, source)
  compiler.mapShadow(`${ROOT}/data.json`, json)
  compiler.mapShadow(`${ROOT}/fonts.json`, Buffer.from(JSON.stringify(fonts.fallback)))
  for (const [key, path] of files) compiler.mapShadow(ROOT + path, Buffer.from(input.images.get(key) as Uint8Array))
  const compiled = compiler.compile({ mainFilePath: `${ROOT}/main.typ` })
  const error = compiled.takeError()
  const failed = (found: readonly TypstProblem[]): TypstOutput => ({
    pdf: undefined,
    pages: 0,
    problems: [...problems, ...found],
  })
  if (error !== null) {
    const found = problemsOf(compiler, error, sources)
    const isImage = found.some(({ message }) => message.includes('decode') || message.includes('image'))
    const learn = () => {
      for (const [key, path] of files) if (!isReadable(compiler, path)) refused.add(key)
    }
    return { output: failed(found), ...(isImage && { learn }) }
  }
  const document = compiled.result as NodeTypstDocument
  const warnings = compiled.takeWarnings()
  if (warnings !== null) problems.push(...problemsOf(compiler, warnings, sources))
  try {
    const [year, month, day] = input.data.report.date.split('-').map(Number) as [number, number, number]
    const pdf = compiler.pdf(document, {
      pdfStandard: input.standard,
      creationTimestamp: Date.UTC(year, month - 1, day) / SECOND_MS,
    })
    return { output: { pdf, pages: document.numOfPages, problems } }
  } catch (cause) {
    const { found, points } = readExportError(cause, input.standard)
    const learn = () => {
      for (const point of points) unseen.add(point)
    }
    return { output: failed(found), learn }
  }
}

const isReadable = (compiler: NodeCompiler, path: string): boolean => {
  const tried = compiler.compile({ mainFileContent: `#image("${path}", alt: "x")` })
  return tried.takeError() === null
}

interface Diagnostic {
  message: string
  path: string
  severity: number
  range: { start: { line: number } } | null
}

const [ERROR, WARNING] = [1, 2]

const problemsOf = (compiler: NodeCompiler, error: NodeError, sources: ReadonlyMap<string, string>): TypstProblem[] =>
  (compiler.fetchDiagnostics(error) as Diagnostic[])
    .filter(({ severity }) => severity === ERROR || severity === WARNING)
    .map(({ message, path, severity, range }) => {
      const file = path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : null
      const line = file !== null && range !== null ? range.start.line + 1 : null
      const text = line === null ? undefined : sources.get(`/${file}`)?.split('\n')[line - 1]
      return {
        level: severity === ERROR ? ('error' as const) : ('warning' as const),
        message: worded(message),
        where: file === null ? null : line === null ? file : `${file}, line ${line}`,
        file,
        line,
        text: text?.trim() ?? null,
      }
    })

/** What the compiler says of files and packages mentions paths that do not exist. */
const worded = (message: string): string => {
  if (message.startsWith('file not found')) return 'This file does not exist: only files of the template can be read.'
  if (message.startsWith('failed to load file (access denied)')) return 'Files outside of the template cannot be read.'
  if (message.startsWith('failed to load file'))
    return 'This file does not exist: only files of the template can be read.'
  if (message.startsWith('failed to download package') || message.startsWith('package not found'))
    return 'Packages cannot be imported: copy the functions into the template.'
  return message.replaceAll(ROOT, '')
}

/** The errors of an export come as the text of a Rust structure. */
const readExportError = (
  cause: unknown,
  standard: TypstInput['standard'],
): { found: TypstProblem[]; points: number[] } => {
  const text = cause instanceof Error ? cause.message : String(cause)
  const messages = [...text.matchAll(/message: "((?:[^"\\]|\\.)*)"/g)].map(([, message = '']) =>
    message.replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
  )
  const points: number[] = []
  for (const message of messages) {
    const [, shown] = message.split('`')
    if (message.includes('could not be displayed') && shown !== undefined) points.push(...pointsOf(shown))
  }
  const found = (messages.length > 0 ? messages : [text.slice(0, 500)]).map((message) =>
    problem('error', `The file would not be ${STANDARDS[standard]}: ${message}`),
  )
  return { found, points }
}

/** Of a quoted text with escapes such as `\u{200d}`. */
const pointsOf = (quoted: string): number[] => {
  const inner = quoted.slice(1, -1)
  const escaped = [...inner.matchAll(/\\u\{([0-9a-f]{1,6})\}/g)].map(([, digits = '0']) => Number.parseInt(digits, 16))
  const rest = [...inner.replaceAll(/\\u\{[0-9a-f]{1,6}\}/g, '')].map((letter) => letter.codePointAt(0) as number)
  return [...escaped, ...rest.filter((point) => point > 0x20)]
}
