import { eventually } from '../app/server-process.ts'
import type { TestClient, TestResponse } from '../app/test-client.ts'

/** Number of requests by status. */
type Statuses = Map<number, number>

/**
 * Sends requests with one key to several servers alternately, this many at once, and has the key deleted during that
 * time.
 *
 * @returns the answers to requests that started before the deletion was acknowledged, and to those that started after
 *   it
 */
export const deleteUnderLoad = async (
  clients: readonly TestClient[],
  path: string,
  { lanes, before, after, remove }: { lanes: number; before: number; after: number; remove(): Promise<TestResponse> },
): Promise<{ before: Statuses; after: Statuses }> => {
  const began = { before: 0, after: 0 }
  const answers = { before: new Map() as Statuses, after: new Map() as Statuses }
  let isDeleted = false
  const lane = async (first: number) => {
    for (let turn = first; began.after < after; turn++) {
      const when = isDeleted ? 'after' : 'before'
      began[when]++
      const { status } = await (clients[turn % clients.length] as TestClient).get(path)
      answers[when].set(status, (answers[when].get(status) ?? 0) + 1)
    }
  }
  const load = Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)))
  const isUnderLoad = () => {
    if (began.before < before) throw new Error(`only ${began.before} requests have begun`)
  }
  try {
    await eventually(isUnderLoad, 60_000, 1)
    const { status, text } = await remove()
    if (status !== 200) throw new Error(`the deletion answered ${text}`)
  } finally {
    isDeleted = true
    await load
  }
  return answers
}
