import { readdir, readFile } from 'node:fs/promises'

/**
 * What the processes of a group use together, as the /proc of Linux tells it; nothing where there is none.
 *
 * @param group id of the process that leads it; undefined where it could not be started
 */
export const useOfGroup = async (group: number | undefined): Promise<{ processes: number; memoryBytes: number }> => {
  const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const own = (await Promise.all(all.map((id) => memoryIn(id, group)))).filter((bytes) => bytes !== undefined)
  return { processes: own.length, memoryBytes: own.reduce((sum, bytes) => sum + bytes, 0) }
}

/** Bytes of memory of a process of this group; undefined for others, and for one that has ended meanwhile. */
const memoryIn = async (id: string, group: number | undefined): Promise<number | undefined> => {
  try {
    // After the name, which may hold anything: state, parent, group.
    const [, , ofGroup] = (await readFile(`/proc/${id}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
    if (Number(ofGroup) !== group) return undefined
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${id}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1_024
  } catch {
    return undefined
  }
}
