import type { CheckOutcome } from '../../labels.tsx'

/** The former outcome of a check, applied if nothing else has changed the check since. */
export interface FormerOutcome {
  id: string
  ifUpdatedAt: string
  set: { outcome: CheckOutcome }
}

/** The server's side of the queue. */
export interface OutcomeWrites {
  /** @returns the former outcomes of those that changed. */
  set: (taskIds: string[], outcome: CheckOutcome) => Promise<FormerOutcome[]>
  revert: (items: FormerOutcome[]) => Promise<{ skipped: number; undo: FormerOutcome[] }>
  /** The server has these outcomes now. Resolves when the page shows them as read. */
  saved: (outcomes: ReadonlyMap<string, CheckOutcome>) => Promise<void>
  /** Undo left checks as they are, because others changed them since. */
  left: (count: number) => void
  /** An undo failed, and can be repeated. */
  undoFailed: (error: unknown) => void
}

interface Change {
  taskId: string
  from: CheckOutcome
}

/** Changes made together, and the outcome that they set. */
interface Step {
  changes: readonly Change[]
  to: CheckOutcome
}

interface SetJob {
  kind: 'set'
  wanted: Map<string, CheckOutcome>
  /** The first change of each check in this job: the server knows what it replaced. */
  first: Map<string, Change>
}

interface RevertJob {
  kind: 'revert'
  /** `from`: the outcome to restore, by undo or by redo. */
  changes: readonly Change[]
  /** Checks without a saved change are set: redo of what could not be saved. */
  setsUnsaved: boolean
  onFailed: () => void
}

type Job = SetJob | RevertJob

/** What to show in place of the outcomes that were read. */
export interface Unsaved {
  outcomes: ReadonlyMap<string, CheckOutcome>
  /** Checks whose outcome could not be saved. */
  failed: ReadonlySet<string>
  error: unknown
  isSaving: boolean
  /** Steps that can be undone. */
  steps: number
  /** Steps that can be repeated. */
  undone: number
}

/** Checks in one request. */
const AT_ONCE = 1_000

/**
 * Saves outcomes in the background, one request after another, however fast they are set: what is set during a request
 * goes into the next one. A check whose last outcome could not be saved keeps it, marked as failed, until it is
 * repeated or discarded.
 */
export class OutcomeQueue {
  readonly #writes: OutcomeWrites
  readonly #listeners = new Set<() => void>()
  readonly #outcomes = new Map<string, CheckOutcome>()
  readonly #failed = new Set<string>()
  /** When the own change of a check was made; undo is refused for a check with another time. */
  readonly #changedAt = new Map<string, string>()
  #steps: Step[] = []
  #undone: Step[] = []
  #jobs: Job[] = []
  #running: Job | undefined
  #error: unknown
  #shown: Unsaved = { outcomes: new Map(), failed: new Set(), error: undefined, isSaving: false, steps: 0, undone: 0 }

  constructor(writes: OutcomeWrites) {
    this.#writes = writes
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly shown = (): Unsaved => this.#shown

  /** Sets the outcome of checks, which were as given. One step for undo. @returns how many change */
  set(checks: readonly { taskId: string; outcome: CheckOutcome }[], outcome: CheckOutcome): number {
    const changes = checks
      .filter((check) => check.outcome !== outcome || this.#failed.has(check.taskId))
      .map(({ taskId, outcome: from }) => ({ taskId, from }))
    if (changes.length === 0) return 0
    this.#steps.push({ changes, to: outcome })
    this.#undone = []
    this.#enqueue(changes.map((change) => [change, outcome]))
    return changes.length
  }

  /** Restores the outcomes before the last step. @returns the checks of that step */
  undo(): readonly string[] {
    const step = this.#steps.pop()
    if (!step) return []
    this.#undone.push(step)
    for (const { taskId, from } of step.changes) {
      // Without a saved change there is nothing for the server to restore.
      if (this.#failed.delete(taskId) && !this.#changedAt.has(taskId)) this.#outcomes.delete(taskId)
      else this.#outcomes.set(taskId, from)
    }
    this.#jobs.push({
      kind: 'revert',
      changes: step.changes,
      setsUnsaved: false,
      onFailed: () => this.#move(step, this.#undone, this.#steps),
    })
    void this.#run()
    return step.changes.map(({ taskId }) => taskId)
  }

  /**
   * Repeats the step that was undone last, except checks that someone else changed since. @returns the checks of that
   * step
   */
  redo(): readonly string[] {
    const step = this.#undone.pop()
    if (!step) return []
    this.#steps.push(step)
    const changes = step.changes.map(({ taskId }) => ({ taskId, from: step.to }))
    for (const { taskId, from } of changes) this.#outcomes.set(taskId, from)
    this.#jobs.push({
      kind: 'revert',
      changes,
      setsUnsaved: true,
      onFailed: () => this.#move(step, this.#steps, this.#undone),
    })
    void this.#run()
    return changes.map(({ taskId }) => taskId)
  }

  /** Saves again what could not be saved. */
  retry(): void {
    const again = [...this.#failed].map((taskId): [Change, CheckOutcome] => {
      const outcome = this.#outcomes.get(taskId) as CheckOutcome
      return [{ taskId, from: outcome }, outcome]
    })
    this.#enqueue(again)
  }

  /** Shows the server's outcomes again where saving failed. */
  discard(): void {
    for (const taskId of this.#failed) this.#outcomes.delete(taskId)
    this.#failed.clear()
    this.#tell()
  }

  #enqueue(changes: readonly [Change, CheckOutcome][]): void {
    let job = this.#jobs.at(-1)
    if (job?.kind !== 'set') {
      job = { kind: 'set', wanted: new Map(), first: new Map() }
      this.#jobs.push(job)
    }
    for (const [change, outcome] of changes) {
      job.wanted.set(change.taskId, outcome)
      if (!job.first.has(change.taskId)) job.first.set(change.taskId, change)
      this.#outcomes.set(change.taskId, outcome)
      this.#failed.delete(change.taskId)
    }
    void this.#run()
  }

  async #run(): Promise<void> {
    this.#tell()
    if (this.#running) return
    for (;;) {
      this.#running = this.#jobs.shift()
      if (!this.#running) break
      await (this.#running.kind === 'set' ? this.#save(this.#running) : this.#revert(this.#running))
      this.#tell()
    }
    this.#tell()
  }

  async #save({ wanted, first }: SetJob): Promise<void> {
    const byOutcome = Map.groupBy([...wanted.keys()], (taskId) => wanted.get(taskId) as CheckOutcome)
    for (const [outcome, all] of byOutcome) {
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const taskIds = all.slice(from, from + AT_ONCE)
        try {
          const former = await this.#writes.set(taskIds, outcome)
          for (const { id, ifUpdatedAt, set } of former) {
            this.#changedAt.set(id, ifUpdatedAt)
            const change = first.get(id)
            if (change) change.from = set.outcome
          }
          await this.#settle(new Map(taskIds.map((taskId) => [taskId, outcome])))
        } catch (error) {
          this.#error = error
          for (const taskId of taskIds) if (!this.#isWanted(taskId)) this.#failed.add(taskId)
        }
      }
    }
  }

  async #revert({ changes, setsUnsaved, onFailed }: RevertJob): Promise<void> {
    const unsaved = setsUnsaved ? changes.filter(({ taskId }) => !this.#changedAt.has(taskId)) : []
    const items = changes.flatMap(({ taskId, from }) => {
      const ifUpdatedAt = this.#changedAt.get(taskId)
      return ifUpdatedAt === undefined ? [] : [{ id: taskId, ifUpdatedAt, set: { outcome: from } }]
    })
    try {
      let skipped = 0
      for (let from = 0; from < items.length; from += AT_ONCE) {
        const some = items.slice(from, from + AT_ONCE)
        const answer = await this.#writes.revert(some)
        skipped += answer.skipped
        for (const { id, ifUpdatedAt } of answer.undo) this.#changedAt.set(id, ifUpdatedAt)
        const reverted = new Set(answer.undo.map(({ id }) => id))
        await this.#settle(new Map(some.filter(({ id }) => reverted.has(id)).map(({ id, set }) => [id, set.outcome])))
      }
      if (skipped > 0) this.#writes.left(skipped)
    } catch (error) {
      onFailed()
      this.#writes.undoFailed(error)
    }
    if (unsaved.length > 0) {
      const wanted = new Map(unsaved.map(({ taskId, from }) => [taskId, from]))
      await this.#save({ kind: 'set', wanted, first: new Map() })
    }
    for (const { taskId } of changes)
      if (!this.#isWanted(taskId) && !this.#failed.has(taskId)) this.#outcomes.delete(taskId)
  }

  /** The server has these: what it answers is shown from now on, unless a later job changes it. */
  async #settle(outcomes: ReadonlyMap<string, CheckOutcome>): Promise<void> {
    await this.#writes.saved(outcomes)
    for (const taskId of outcomes.keys()) if (!this.#isWanted(taskId)) this.#outcomes.delete(taskId)
  }

  #isWanted(taskId: string): boolean {
    return this.#jobs.some((job) =>
      job.kind === 'set' ? job.wanted.has(taskId) : job.changes.some((change) => change.taskId === taskId),
    )
  }

  #move(step: Step, from: Step[], to: Step[]): void {
    const at = from.lastIndexOf(step)
    if (at < 0) return
    from.splice(at, 1)
    to.push(step)
  }

  #tell(): void {
    this.#shown = {
      outcomes: new Map(this.#outcomes),
      failed: new Set(this.#failed),
      error: this.#error,
      isSaving: this.#running !== undefined || this.#jobs.length > 0,
      steps: this.#steps.length,
      undone: this.#undone.length,
    }
    for (const listener of this.#listeners) listener()
  }
}
