import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SlowClients } from '../../server/test/support/slow-clients.ts'

/** Bytes that systems hold for a connection: at least, at first, at most. As of clients with a tiny window, who are met in the wild. */
const RECEIVE_BUFFER = '4096 8192 16384'
const SEND_BUFFER = '4096 16384 65536'
const ESTABLISHED = '01'
const LOOK_EVERY_MS = 250

/**
 * Runs a command in a network namespace of its own, in which nothing but loopback is, with small buffers. By default two
 * ends on one machine hold four megabytes of an answer that nobody reads, and the server never notices.
 *
 * @returns undefined where that cannot be done: it takes Linux, root, `unshare` and `ip`
 */
export const inSmallNetwork = (command: readonly string[], env: Record<string, string>): { status: number | null } | undefined => {
  const script = `ip link set lo up && echo '${RECEIVE_BUFFER}' > /proc/sys/net/ipv4/tcp_rmem && echo '${SEND_BUFFER}' > /proc/sys/net/ipv4/tcp_wmem`
  const enter = (...rest: string[]) => ['--net', '--', 'sh', '-c', ...rest]
  if (spawnSync('unshare', enter(script)).status !== 0) return undefined
  return spawnSync('unshare', enter(`${script} && exec "$0" "$@"`, ...command), { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Opens connections that ask for `path` and take nothing of the answer. Who does not read hears of no end: the system is asked who is still connected. */
export const slowReaders = async (origin: string, path: string, count: number, perSecond: number): Promise<SlowClients> => {
  const { hostname, port } = new URL(origin)
  const startedAt = performance.now()
  const closedAfterMs: number[] = []
  const connectedAt = new Map<number, number>()
  const sockets: net.Socket[] = []
  const look = () => {
    const served = clientsOf(Number(port))
    for (const [clientPort, since] of connectedAt) {
      if (served.has(clientPort)) continue
      connectedAt.delete(clientPort)
      closedAfterMs.push(performance.now() - since)
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  for (let i = 0; i < count; i++) {
    const socket = net.connect(Number(port), hostname)
    socket.pause()
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    sockets.push(socket)
    connectedAt.set(socket.localPort as number, performance.now())
    const early = startedAt + (i * 1000) / perSecond - performance.now()
    if (early > 0) await sleep(early)
  }
  return {
    open: () => {
      look()
      return connectedAt.size
    },
    closedAfterMs,
    end: () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Ports of those to whom a process on this port of 127.0.0.1 is connected. */
const clientsOf = (port: number): Set<number> => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const clients = new Set<number>()
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, from = '', to = '', state] = line.trim().split(/\s+/)
    if (state === ESTABLISHED && from.endsWith(local)) clients.add(Number.parseInt(to.split(':')[1] ?? '', 16))
  }
  return clients
}
