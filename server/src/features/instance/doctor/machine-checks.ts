import { accessSync, constants, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Check, ok, problem, warning } from './check.ts'

const FEW_DESCRIPTORS = 1_024
const SCARCE_DESCRIPTORS = 8_192
/** In addition to its heap, the server has threads, buffers and, with an embedded database, Postgres. */
const BESIDE_HEAP_BYTES = 512 * 1024 * 1024
const MEGABYTE = 1024 * 1024
/** Bits of a text by the frequency of its characters: 128 random bits in hex have about 110. */
const FEW_BITS = 96

const settingsFile: Check = {
  name: 'settings-file',
  run: async ({ settingsFile: file }) => {
    if (file === undefined) return ok('Settings come from the environment.')
    const { mode, uid, gid } = statSync(file)
    const own = process.getuid?.()
    // root owns the file of a service, which reads it by its group (docs/operating/systemd.md).
    const isForService =
      uid === 0 &&
      (mode & 0o037) === 0 &&
      gid !== 0 &&
      (own === 0 || process.getgroups?.().includes(gid) || process.getgid?.() === gid)
    if (isForService) return ok(`Only root and the group ${gid} can read ${file}.`)
    if ((mode & 0o077) !== 0)
      return problem(
        `${file} has mode ${(mode & 0o777).toString(8)}: other users of this machine can read its secrets.`,
        `chmod 600 ${file}`,
      )
    return ok(`Only its owner${uid === own ? '' : ` (user id ${uid})`} can read ${file}.`)
  },
}

/** Shannon entropy of the characters, times their number. */
const bitsOf = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - count * Math.log2(count / text.length), 0)
}

const sessionSecret: Check = {
  name: 'session-secret',
  run: async ({ config: { SESSION_SECRET } }) => {
    const weak = SESSION_SECRET.split(',').some(
      (text) => bitsOf(text) < FEW_BITS || /\s|secret|password|change.?me|example|default|sortie/i.test(text.trim()),
    )
    if (!weak) return ok('SESSION_SECRET looks random.')
    return problem(
      'SESSION_SECRET is easy to guess: with it anyone can make sessions and links.',
      'put a random value in front, "SESSION_SECRET=<new>,<old>", made with: head -c 32 /dev/urandom | base64; see docs/operating/doctor.md',
    )
  },
}

const nodeFlags: Check = {
  name: 'node-flags',
  run: async ({ insecureFlags }) =>
    insecureFlags.length === 0
      ? ok('No variable of Node weakens the server.')
      : problem(`${insecureFlags.join(', ')} weakens the server.`, `remove it from the environment of the server`),
}

const descriptors: Check = {
  name: 'descriptors',
  run: async ({ facts }) => {
    const { descriptorLimit: limit, isOfServer } = await facts()
    const who = isOfServer ? 'The server' : 'This command'
    if (limit === null) return ok('The number of open files is not limited.')
    const found = `${who} may open ${limit} files and connections.`
    const fix = 'LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 before the start'
    if (limit <= FEW_DESCRIPTORS) return problem(found, fix)
    if (limit < SCARCE_DESCRIPTORS) return warning(found, fix)
    return ok(found)
  },
}

const memory: Check = {
  name: 'memory',
  run: async ({ config, facts }) => {
    const { heapLimitBytes, memoryLimitBytes } = await facts()
    const limit = Math.min(memoryLimitBytes ?? Number.POSITIVE_INFINITY, os.totalmem())
    const heap = Math.max(heapLimitBytes, (config.OVERLOAD_HEAP_MB ?? 0) * MEGABYTE)
    const inMegabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`
    const found = `The heap may grow to ${inMegabytes(heap)}; the memory limit is ${inMegabytes(limit)}.`
    if (heap > limit)
      return problem(
        found,
        `give it more memory, or NODE_OPTIONS=--max-old-space-size=${Math.floor(limit / MEGABYTE / 2)}`,
      )
    if (config.OVERLOAD_HEAP_MB !== undefined && config.OVERLOAD_HEAP_MB * MEGABYTE > heapLimitBytes)
      return problem(
        `OVERLOAD_HEAP_MB=${config.OVERLOAD_HEAP_MB} is above the heap that Node allows (${inMegabytes(heapLimitBytes)}): the process ends before it refuses requests.`,
        'remove OVERLOAD_HEAP_MB, or raise --max-old-space-size in NODE_OPTIONS',
      )
    if (heap + BESIDE_HEAP_BYTES > limit) return warning(found, `give it ${inMegabytes(heap + BESIDE_HEAP_BYTES)}`)
    return ok(found)
  },
}

const timeZones: Check = {
  name: 'time-zones',
  run: async () => {
    const month = new Intl.DateTimeFormat('de', { month: 'long', timeZone: 'UTC' }).format(0)
    const hour = new Intl.DateTimeFormat('en', {
      hour: 'numeric',
      minute: 'numeric',
      timeZone: 'Asia/Kathmandu',
    }).format(0)
    if (month === 'Januar' && hour.includes('5:30')) return ok('Node has all languages and time zones.')
    return problem(
      'Node lacks languages or time zones: reports and testing hours are wrong.',
      'use a Node with full ICU, as the bundled one; remove NODE_ICU_DATA',
    )
  },
}

/** Directories that systems search for programs of administrators, too. */
const PROGRAM_DIRECTORIES = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

const nmap: Check = {
  name: 'nmap',
  run: async () => {
    const found = PROGRAM_DIRECTORIES.map((directory) => path.join(directory, 'nmap')).find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
    if (found) return ok(`Scans of ports can use ${found}.`)
    return warning('nmap is not installed: scans that use it are not offered.', 'apt-get install nmap')
  },
}

export const MACHINE_CHECKS: readonly Check[] = [
  settingsFile,
  sessionSecret,
  nodeFlags,
  descriptors,
  memory,
  timeZones,
  nmap,
]
