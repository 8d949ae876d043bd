import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestApp } from '../app/test-app.ts'

/** The oldest Node that the command line supports, if this machine has it: the system's one. */
const findNodes = (): { name: string; file: string }[] => {
  const candidates = [process.execPath, '/usr/bin/node']
  const found = candidates.flatMap((file) => {
    const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
    return status === 0 ? [{ name: `Node ${stdout.trim()}`, file }] : []
  })
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index)
}

export const NODES = findNodes()

export interface Ended {
  /** Null if a signal ended it. */
  code: number | null
  stdout: string
  stderr: string
}

/** A machine with nothing but Node and the file that the instance serves. */
export interface Cli {
  /** Empty at first. */
  home: string
  file: string
  sha256: string
  headers: Headers
  run(args: readonly string[], options?: CliOptions): Promise<Ended>
  /** Starts it without waiting for its end. */
  start(args: readonly string[], options?: CliOptions): Started
  remove(): void
}

export interface CliOptions {
  /** Standard input; by default empty. */
  input?: string
  env?: Readonly<Record<string, string>>
  /** By default the system's Node, which is the oldest. */
  node?: string
  cwd?: string
}

export interface Started {
  pid: number
  ended: Promise<Ended>
  /** What it has written until now. */
  written(): Omit<Ended, 'code'>
  kill(signal: NodeJS.Signals): void
}

/** Downloads the command line from the app. */
export const downloadCli = async (app: Pick<TestApp, 'origin'>): Promise<Cli> => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'sortie-cli-'))
  const response = await fetch(`${app.origin}/api/cli`)
  if (response.status !== 200) throw new Error(`/api/cli answered ${response.status}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const file = path.join(home, 'download', 'sortie.mjs')
  mkdirSync(path.dirname(file))
  writeFileSync(file, bytes)
  const start: Cli['start'] = (args, { input = '', env = {}, node = NODES.at(-1)?.file ?? '', cwd = home } = {}) => {
    const child = spawn(node, [file, ...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const [stdout, stderr]: Buffer[][] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => stdout?.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr?.push(chunk))
    // It may end without reading its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const written = () => ({
      stdout: Buffer.concat(stdout ?? []).toString(),
      stderr: Buffer.concat(stderr ?? []).toString(),
    })
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, ...written() }))
    })
    return { pid: child.pid ?? 0, ended, written, kill: (signal) => void child.kill(signal) }
  }
  return {
    home,
    file,
    sha256: createHash('sha256').update(bytes).digest('base64'),
    headers: response.headers,
    start,
    run: (args, options) => start(args, options).ended,
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
