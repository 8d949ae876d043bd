import http from 'node:http'

/**
 * Sends requests with a key to several servers in turns, many at once, and has the key deleted on the way.
 *
 * @returns how many were accepted before, and how many of those that started after the deletion was acknowledged
 */
export const sendTail = async (
  origins: string[],
  path: string,
  headers: Record<string, string>,
  { connections, warmUp, tail, remove }: { connections: number; warmUp: number; tail: number; remove(): Promise<void> },
): Promise<{ before: number; after: number; tail: number }> => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  let acknowledged = false
  let deleting: Promise<void> | undefined
  let sent = 0
  let sentAfter = 0
  const accepted = { before: 0, after: 0 }
  const removeAndNote = async () => {
    await remove()
    acknowledged = true
  }
  const lane = async () => {
    while (sentAfter < tail) {
      const isAfter = acknowledged
      if (isAfter) sentAfter++
      const status = await statusOf(`${origins[sent++ % origins.length]}${path}`, headers, agent)
      if (status === 200) accepted[isAfter ? 'after' : 'before']++
      else if (status !== 401) throw new Error(`${path} answered ${status}`)
      if (sent >= warmUp) {
        deleting ??= removeAndNote()
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  await deleting
  agent.destroy()
  return { ...accepted, tail: sentAfter }
}

const statusOf = (url: string, headers: Record<string, string>, agent: http.Agent) =>
  new Promise<number>((resolve, reject) => {
    http
      .get(url, { headers, agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      .once('error', reject)
  })
