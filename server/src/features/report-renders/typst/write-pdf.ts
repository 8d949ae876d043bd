import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { limitTime } from '../../../platform/concurrency/time-limit.ts'
import { problem, type TypstInput, type TypstOutput } from './document.ts'

const PROCESS = fileURLToPath(new URL('typst-process.ts', import.meta.url))
/** Of fonts: lists no directory, so that a document looks the same on every machine. */
const NO_FONTS = fileURLToPath(new URL('template/fonts.conf', import.meta.url))

/**
 * Its whole environment. The compiler would look for packages on the internet and in the home directory: it finds
 * neither.
 */
const ENVIRONMENT = {
  FONTCONFIG_FILE: NO_FONTS,
  HTTP_PROXY: 'http://127.0.0.1:0',
  HTTPS_PROXY: 'http://127.0.0.1:0',
  HOME: '/dev/null',
  XDG_DATA_HOME: '/dev/null',
  XDG_CACHE_HOME: '/dev/null',
  TZ: 'UTC',
}

export interface PdfLimits {
  ms: number
  /** Of the whole process, in bytes. */
  memoryBytes: number
}

export const PDF_LIMITS: PdfLimits = { ms: 60_000, memoryBytes: 1_610_612_736 }

/** MiB of the heap for JavaScript, which holds report-data; the compiler has more memory. */
const HEAP_MB = 512
const MAX_REASON = 400

/**
 * Compiles a document to PDF in a process of its own, which is killed at its limits.
 *
 * @throws the reason of `signal`, once it is aborted
 */
export const writePdf = async (
  input: TypstInput,
  signal: AbortSignal,
  { ms, memoryBytes }: PdfLimits = PDF_LIMITS,
): Promise<TypstOutput> => {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, PROCESS, String(memoryBytes), String(ms)], {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.once('close', resolve)
  })
  const kill = () => child.kill('SIGKILL')
  let isLate = false
  // The process ends itself; this is for one that cannot.
  const endLimit = limitTime(ms + 5_000, () => {
    isLate = true
    kill()
  })
  signal.addEventListener('abort', kill, { once: true })
  const written: Buffer[] = []
  let reason = ''
  child.stdout.on('data', (chunk: Buffer) => written.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    if (reason.length < MAX_REASON) reason += chunk.toString()
  })
  // A process that ends early closes its input; its exit says why.
  child.stdin.on('error', () => undefined)
  child.stdin.end(serialize(input))
  try {
    const code = await ended
    signal.throwIfAborted()
    if (code === 0) return deserialize(Buffer.concat(written))
    if (isLate || reason.startsWith('time')) return failed(`It took longer than ${Math.round(ms / 1_000)} seconds.`)
    if (reason.startsWith('memory') || reason.includes('heap out of memory'))
      return failed(`It needed more than ${Math.round(memoryBytes / 1_048_576)} MiB of memory.`)
    throw new Error(`the process that writes PDF files ended with ${code}: ${reason.slice(0, MAX_REASON)}`)
  } finally {
    endLimit()
    signal.removeEventListener('abort', kill)
  }
}

const failed = (message: string): TypstOutput => ({
  pdf: undefined,
  pages: 0,
  problems: [problem('error', message)],
  isStopped: true,
})
