import { createThreadPool, ThreadLimitError } from '../../../../platform/concurrency/threads.ts'
import { ApiError, invalid } from '../../../../platform/errors.ts'
import type { AssertionRule, CaptureRule } from '../../saved/definition.ts'
import type * as tasks from './evaluate-task.ts'

/** Evaluates captures and assertions of a response; undefined if they took too long or too much memory. */
export type Evaluate = (organizationId: string, task: tasks.EvaluateTask) => Promise<tasks.Evaluated | undefined>

/**
 * Compiles JSONPath and regular expressions of users, also unused ones: with the flag `u`, an expression of a few
 * kilobytes takes more than a second (finding T3).
 *
 * @throws ApiError VALIDATION_ERROR for an invalid or too slow expression, 503 if too many checks wait
 */
export type CheckRules = (
  organizationId: string,
  rules: { captures?: CaptureRule[]; assertions?: AssertionRule[] },
) => Promise<void>

export interface Evaluator {
  evaluate: Evaluate
  checkRules: CheckRules
}

/** An expression that takes longer is reported as too slow; on a busy machine, usual ones take a tenth. */
const MAX_MS = 5_000
/** Total time of one organization's evaluations (`REQUEST_RUNS_AT_ONCE`), and a few more. */
const MAX_WAIT_MS = 60_000
const MAX_WAITING = 1_000
/** More than an organization sends at once; the rest is for checks of saved rules. */
const MAX_WAITING_OF_ONE = 100
/** Number of organizations at once, with one task each. */
const MAX_THREADS = 4
const IDLE_MS = 30_000
const MAX_HEAP_MB = 128

/** Evaluates in threads that are terminated after `MAX_MS`. */
export const createEvaluator = (): Evaluator => {
  const threads = createThreadPool<typeof tasks>(new URL('evaluate-task.ts', import.meta.url), {
    maxThreads: MAX_THREADS,
    threadsOfParty: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingOfParty: MAX_WAITING_OF_ONE,
    maxWaitMs: MAX_WAIT_MS,
    maxMs: MAX_MS,
    idleMs: IDLE_MS,
    maxHeapMb: MAX_HEAP_MB,
    isLowPriority: true,
    busy: 'The server is overloaded. Try again shortly.',
  })
  return {
    evaluate: async (organizationId, task) => {
      if (task.captures.length === 0 && task.assertions.length === 0) return { captured: {}, assertions: [] }
      try {
        return await threads.run(organizationId, 'evaluate', task)
      } catch (error) {
        // The request was sent, so its history shows it even without results of its assertions.
        if (error instanceof ApiError) return undefined
        throw error
      }
    },
    checkRules: async (organizationId, { captures = [], assertions = [] }) => {
      const isCompiled =
        captures.some(({ from }) => from === 'json' || from === 'regex') || assertions.some(needsCompiling)
      if (!isCompiled) return
      const problem = await threads
        .run(organizationId, 'findProblem', { captures, assertions })
        .catch((error: unknown) => {
          if (error instanceof ThreadLimitError) return TOO_LONG
          throw error
        })
      if (problem !== undefined) throw invalid(problem)
    },
  }
}

const needsCompiling = ({ subject, operator }: AssertionRule) => subject === 'json' || operator === 'matches'

const TOO_LONG =
  'assertions: the expressions of captures and assertions take too long to compile: use shorter ones, or fewer'
