import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStage, eventually, freePort, isAlive, postgresPid } from '../../support/app/server-process.ts'
import { signInAsOwner } from '../../support/clients/server-clients.ts'
import { copyCheckout } from '../../support/database/checkout.ts'

/** A reload takes a second or two; this only keeps a broken test from hanging. */
const LIMIT_MS = 90_000

const stage = createStage()
afterAll(() => stage.close())

let root: string

beforeAll(() => {
  root = path.join(stage.directory(), 'sortie')
  copyCheckout(root, 'linked')
})

/** `npm run dev` as a terminal runs it: in a process group of its own, all of which Ctrl-C reaches. */
class Development {
  readonly origin: string
  readonly exited: Promise<number | null>
  output = ''
  readonly #child: ChildProcess

  constructor(port: number, args: string[] = []) {
    // `localhost` may be either loopback address; Vite listens on the first that the system names.
    this.origin = `http://localhost:${port}`
    const { PATH, HOME } = process.env
    this.#child = spawn(process.execPath, ['scripts/dev.mjs', '--port', String(port), ...args], {
      cwd: root,
      // A setting of another installation has no part in this.
      env: { PATH, HOME, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (chunk) => (this.output += chunk))
    this.exited = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)))
    stage.add(() => this.processes.length > 0 && process.kill(-this.group, 'SIGKILL'))
  }

  get group(): number {
    return this.#child.pid as number
  }

  /** Processes of the group, each with its command line. */
  get processes(): [pid: number, command: string][] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid): [number, string][] => {
        try {
          const group = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[2]
          return Number(group) === this.group && isAlive(Number(pid))
            ? [[Number(pid), readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]]
            : []
        } catch {
          // It ended meanwhile.
          return []
        }
      })
  }

  get postgres(): number | undefined {
    return postgresPid(path.join(root, 'data/dev'))
  }

  find(command: RegExp): number {
    const found = this.processes.find(([, line]) => command.test(line))
    if (!found) throw new Error(`no process runs ${command}: ${JSON.stringify(this.processes)}\n${this.output}`)
    return found[0]
  }

  /** What the page's address answers. */
  async get(url: string): Promise<string> {
    return (await fetch(this.origin + url, { headers: { connection: 'close' } })).text()
  }

  /** Waits until the page's address answers with a text. */
  async answers(url: string, text: string): Promise<void> {
    await eventually(async () => {
      if (this.#child.exitCode !== null) throw new Error(`it ended\n${this.output}`)
      expect(await this.get(url), this.output).toContain(text)
    }, LIMIT_MS)
  }

  interrupt(): void {
    process.kill(-this.group, 'SIGINT')
  }

  /** Waits until nothing of it runs. */
  async ended(postgres: number): Promise<number | null> {
    const code = await this.exited
    await eventually(() => expect(this.processes).toEqual([]), LIMIT_MS)
    await eventually(() => expect(isAlive(postgres)).toBe(false), LIMIT_MS)
    return code
  }
}

const change = (file: string, from: string, to: string) => {
  const text = readFileSync(path.join(root, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(path.join(root, file), text.replace(from, to))
}

/** The server itself, not its watcher. */
const SERVER = /^\S+ --watch-preserve-output scripts\/dev-server\.mjs/

describe.runIf(process.platform === 'linux')('npm run dev', () => {
  test('answers with a change of the server or the page, recovers from a syntax error and a crash, and Ctrl-C ends all of it', async () => {
    const dev = new Development(await freePort(), ['--demo'])
    const missing = '/api/v1/nothing'
    await dev.answers(missing, '"NOT_FOUND"')
    await eventually(() => expect(dev.output).toContain(`Open ${dev.origin}`))
    const postgres = dev.postgres as number
    const password = /password: (\S+)/.exec(dev.output)?.[1]
    // The page's server forwards to one that may still be busy.
    const signIn = (email?: string) => eventually(() => signInAsOwner(dev.origin, email, password), LIMIT_MS)
    await signIn()
    // Files of the demonstration are read in threads of the server.
    const ada = await signIn('ada@northwind.example')
    await eventually(
      async () =>
        expect((await ada.get('/api/web/imports?state=applied')).body.data.length, dev.output).toBeGreaterThan(0),
      LIMIT_MS,
    )

    change(
      'server/src/platform/errors.ts',
      "ApiError('NOT_FOUND', message)",
      "ApiError('NOT_FOUND', `changed: ${message}`)",
    )
    await dev.answers(missing, 'changed: ')

    change('server/src/platform/errors.ts', '`changed: ${message}`)', '`changed: ${message}`')
    await eventually(() => expect(dev.output).toContain('Waiting for file changes before restarting'), LIMIT_MS)
    expect(dev.output).toMatch(/errors\.ts/)
    change('server/src/platform/errors.ts', '`changed: ${message}`', '`fixed: ${message}`)')
    await dev.answers(missing, 'fixed: ')

    const page = '/src/ui/commands/is-within.ts'
    await dev.answers(page, 'isWithin')
    writeFileSync(
      path.join(root, 'web', page),
      `${readFileSync(path.join(root, 'web', page), 'utf8')}\nexport const changed = 'a changed page'\n`,
    )
    await dev.answers(page, 'a changed page')

    // The database was not restarted for any of this.
    expect(dev.postgres).toBe(postgres)
    process.kill(dev.find(SERVER), 'SIGKILL')
    await eventually(() => expect(dev.processes.filter(([, line]) => SERVER.test(line))).toEqual([]), LIMIT_MS)
    dev.interrupt()
    expect(await dev.ended(postgres)).toBe(0)
    expect(existsSync(path.join(root, '.env'))).toBe(false)
  })

  test('--inspect lets a debugger attach to the server, and ends all of it when the web interface cannot run, and says so', async () => {
    const dev = new Development(await freePort(), ['--inspect'])
    await eventually(
      () => expect(dev.output).toMatch(/Debugger listening on ws:\/\/127\.0\.0\.1:|address already in use/),
      LIMIT_MS,
    )
    await dev.answers('/src/ui/commands/is-within.ts', 'isWithin')
    const postgres = dev.postgres as number
    process.kill(dev.find(/vite\.js/), 'SIGKILL')
    expect(await dev.ended(postgres)).toBe(1)
    expect(dev.output).toContain('The web interface ended with code 1; the rest is stopped.')
  })
})
