/** How many failures a bucket bears before its next attempt has to wait. */
export interface AttemptLimit {
  failures: number
  windowMs: number
  /** The first wait; it doubles with every further failure, up to the window. */
  firstWaitMs: number
}
