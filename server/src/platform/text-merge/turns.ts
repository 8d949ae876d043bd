import { unavailable } from '../errors.ts'

/**
 * Runs changes of one name one after another; waiting holds no database connection.
 *
 * @throws ApiError 503 if the change did not start in time; nothing is done then
 */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * @param maxWaitMs how long a change waits to start
 * @param busy one sentence for the client whose change is refused
 */
export const createTurns = (maxWaitMs: number, busy: string): InTurn => {
  const turns = new Map<string, Promise<unknown>>()
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const late = Promise.withResolvers<never>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      late.reject(unavailable(busy, undefined, 3))
    }, maxWaitMs)
    const begin = async (): Promise<T> => {
      clearTimeout(timer)
      return isLate ? late.promise : work()
    }
    const turn = (turns.get(name) ?? Promise.resolve()).then(begin, begin)
    turns.set(name, turn)
    const forget = () => {
      if (turns.get(name) === turn) turns.delete(name)
    }
    turn.then(forget, forget)
    return Promise.race([turn, late.promise])
  }
}
