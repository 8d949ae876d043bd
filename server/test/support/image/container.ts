import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { eventually, ServerProcess } from '../app/server-process.ts'
import type { Image } from './build-image.ts'

/** The account of the image. */
export const UID = 10_001

/**
 * Prepares the root file system as an engine does: read-only, with /proc, a small /dev and the volume, in namespaces of
 * its own. The network is that of this machine.
 */
const PREPARE = `
set -e
root=$1 data=$2
shift 2
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 dev "$root/dev"
for name in null zero full random urandom; do touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
ln -s /proc/self/fd "$root/dev/fd"
mkdir -m 1777 "$root/dev/shm"
mount -t tmpfs -o size=64m,mode=1777 shm "$root/dev/shm"
mount -o remount,bind,ro "$root"
cd "$root"
exec chroot "$root" /usr/bin/setpriv "$@"
`
const AS_USER = [
  `--reuid=${UID}`,
  `--regid=${UID}`,
  '--clear-groups',
  '--no-new-privs',
  '--inh-caps=-all',
  '--bounding-set=-all',
]

export interface ContainerOptions {
  image: Image
  /** The directory of the volume, which belongs to the account of the image. */
  data: string
  port: number
  env?: Record<string, string>
  /** In place of the entry point. */
  command?: readonly string[]
}

/** The image as an engine runs it: its account, its environment, a read-only root and one volume. */
export class Container extends ServerProcess {
  readonly #environment: readonly string[]
  readonly #workingDirectory: string

  constructor({ image, data, port, env = {}, command = image.config.Entrypoint }: ContainerOptions) {
    const environment = [...image.config.Env, `PORT=${port}`, ...Object.entries(env).map((pair) => pair.join('='))]
    const inside = ['/usr/bin/env', '-i', `--chdir=${image.config.WorkingDir}`, ...environment, ...command]
    const child = spawn(
      'unshare',
      ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--propagation', 'private']
        .concat('sh', '-c', PREPARE, 'sh', image.root, data)
        .concat(AS_USER, inside),
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    super(child, port, data)
    this.#environment = environment
    this.#workingDirectory = image.config.WorkingDir
  }

  /** The process that is number 1 in its namespace. @throws if it has not started yet */
  get first(): number {
    const { pid } = this.child
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    if (!first) throw new Error('the container has no process')
    return Number(first)
  }

  /** Signals its first process, as an engine does. */
  override signal(signal: NodeJS.Signals): void {
    if (!this.isRunning) return
    try {
      process.kill(this.first, signal)
    } catch {
      this.child.kill('SIGKILL')
    }
  }

  /** Runs a program in the running container, as `docker exec` does. */
  async exec(...command: string[]): Promise<{ code: number; out: string; err: string }> {
    const args = ['--target', String(this.first), '--mount', '--pid', '--ipc', '--root', '--wd']
    const inside = ['/usr/bin/env', '-i', `--chdir=${this.#workingDirectory}`, ...this.#environment, ...command]
    try {
      const options = { maxBuffer: 2 ** 26 }
      const { stdout, stderr } = await promisify(execFile)(
        'nsenter',
        [...args, '/usr/bin/setpriv', ...AS_USER, ...inside],
        options,
      )
      return { code: 0, out: stdout, err: stderr }
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string }
      return { code: code ?? -1, out: stdout, err: stderr }
    }
  }

  /** States of its processes as /proc names them, by their number on this machine: `S`, `Z` ... */
  states(): Map<number, string> {
    const found = new Map<number, string>()
    const add = (pid: number) => {
      const stat = `/proc/${pid}/stat`
      if (!existsSync(stat)) return
      found.set(pid, readFileSync(stat, 'utf8').split(') ').at(-1)?.[0] ?? '?')
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
      for (const child of children) add(Number(child))
    }
    add(this.first)
    return found
  }

  /** Waits until no process of it is a zombie. */
  reaped(): Promise<void> {
    return eventually(() => {
      const zombies = [...this.states()].filter(([, state]) => state === 'Z')
      if (zombies.length > 0) throw new Error(`${zombies.length} processes were not reaped`)
    }, 10_000)
  }
}
