import { readdir, readFile } from 'node:fs/promises'

/**
 * Returns the resource use of a process group, read from /proc on Linux; zero elsewhere.
 *
 * @param group id of the group's leader; undefined if it could not be started
 */
export const useOfGroup = async (group: number | undefined): Promise<{ processes: number; memoryBytes: number }> => {
  const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const own = (await Promise.all(all.map((id) => memoryIn(id, group)))).filter((bytes) => bytes !== undefined)
  return { processes: own.length, memoryBytes: own.reduce((sum, bytes) => sum + bytes, 0) }
}

/** Returns the memory of a process in bytes; undefined if it is in another group or has ended. */
const memoryIn = async (id: string, group: number | undefined): Promise<number | undefined> => {
  try {
    // After the name, which may contain any characters: state, parent, group.
    const [, , ofGroup] = (await readFile(`/proc/${id}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
    if (Number(ofGroup) !== group) return undefined
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${id}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1_024
  } catch {
    return undefined
  }
}
