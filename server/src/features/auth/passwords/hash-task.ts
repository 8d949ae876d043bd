import { hashSync, type Options, verifySync } from '@node-rs/argon2'

/** A password to hash, or to compare with the stored hash. */
export interface HashTask {
  password: string
  options?: Options
  stored?: string
}

/** Runs in its own thread: see `createPasswords`. */
export const runHashTask = ({ password, options, stored }: HashTask): string | boolean =>
  stored === undefined ? hashSync(password, options) : verifySync(stored, password)
