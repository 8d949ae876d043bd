/** A bucket's window after counting: requests so far, Unix seconds at which it resets, milliseconds until then. */
export type CountedWindow = readonly [used: number, resetSeconds: number, leftMs: number]

/** How many requests to add to a bucket; 0 looks. */
export type Addition = readonly [bucket: string, add: number]

interface Waiting {
  adds: number
  /** In the order of asking: how many of `adds` each has before and with it. */
  askers: { upTo: number; resolve(window: CountedWindow): void; reject(error: unknown): void }[]
}

/**
 * Counts through somebody outside this process. One message is under way at a time, and takes along what was asked for
 * since the one before: alone, a request waits for nobody, and the more there are, the less each costs. A bucket that
 * several of them share is named once, and each hears the count as it stood with it.
 */
export class WindowBatch {
  readonly #exchange: (additions: Addition[]) => Promise<readonly CountedWindow[]>
  #waiting = new Map<string, Waiting>()
  #underWay = false

  /** @param exchange answers each addition with its window as of after it, in the same order */
  constructor(exchange: (additions: Addition[]) => Promise<readonly CountedWindow[]>) {
    this.#exchange = exchange
  }

  count(bucket: string, add: 0 | 1): Promise<CountedWindow> {
    if (this.#waiting.size === 0 && !this.#underWay) setImmediate(() => void this.#send())
    let waiting = this.#waiting.get(bucket)
    if (!waiting) {
      waiting = { adds: 0, askers: [] }
      this.#waiting.set(bucket, waiting)
    }
    waiting.adds += add
    const { askers, adds: upTo } = waiting
    return new Promise((resolve, reject) => askers.push({ upTo, resolve, reject }))
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    this.#underWay = true
    const all = [...waiting.values()]
    try {
      const windows = await this.#exchange([...waiting].map(([bucket, { adds }]) => [bucket, adds]))
      for (const [i, { adds, askers }] of all.entries()) {
        const [used, resetSeconds, leftMs] = windows[i] as CountedWindow
        for (const { upTo, resolve } of askers) resolve([used - adds + upTo, resetSeconds, leftMs])
      }
    } catch (error) {
      for (const { askers } of all) for (const { reject } of askers) reject(error)
    } finally {
      this.#underWay = false
      if (this.#waiting.size > 0) setImmediate(() => void this.#send())
    }
  }
}
