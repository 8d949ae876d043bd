import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ADMIN_PASSWORD, SESSION_SECRET } from './server-process.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Finished {
  code: number | null
  out: string
  /** Without lines of progress, which a command prints only on a slow machine. */
  err: string
}

const PROGRESS = /^(?:copied|read) [\d.]+ MB in \d+ files\n/gm

/** `npm run operator -- ...` on a data directory, with its files below it, while it runs. */
export interface Running {
  child: ChildProcess
  finished: Promise<Finished>
}

/** @param input text on standard input; there is none without it */
export const startSortie = (
  args: readonly string[],
  dataDir: string,
  env: Record<string, string> = {},
  input?: string,
): Running => {
  const child = spawn(path.join(ROOT, 'node_modules/.bin/node'), ['server/dist/operator.js', ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ENV_FILE: '',
      SESSION_SECRET,
      ADMIN_PASSWORD,
      DATA_DIR: dataDir,
      STORAGE_PATH: path.join(dataDir, 'uploads'),
      ...env,
    },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout?.on('data', (data) => out.push(String(data)))
  child.stderr?.on('data', (data) => err.push(String(data)))
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out: out.join(''), err: err.join('').replaceAll(PROGRESS, '') }))
  })
  return { child, finished }
}

export const sortie = (args: readonly string[], dataDir: string, env: Record<string, string> = {}): Promise<Finished> =>
  startSortie(args, dataDir, env).finished
