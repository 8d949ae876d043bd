import { type Clock, systemClock } from '../../../src/platform/clock.ts'

/** Real time, moved forward or frozen by a test. */
export class TestClock implements Clock {
  #offset = 0
  #frozenAt: number | undefined

  now(): number {
    return (this.#frozenAt ?? systemClock.now()) + this.#offset
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#offset
  }

  /** Moves both clocks forward. */
  advance(ms: number): void {
    this.#offset += ms
  }

  /** Freezes the wall clock at a moment, by default the current one; `advance` still moves it. */
  freeze(at = this.now()): void {
    this.#offset = 0
    this.#frozenAt = at
  }
}
