import { randomFillSync } from 'node:crypto'

/** Type prefixes of identifiers (specification, section 2, and this project's own objects). */
export type IdPrefix =
  | (
      | 'org'
      | 'usr'
      | 'inv'
      | 'eng'
      | 'key'
      | 'aud'
      | 'ses'
      | 'mal'
      | 'rst'
      | 'bcf'
      | 'rep'
      | 'dlv'
      | 'pky'
      | 'dom'
      | 'idn'
      | 'fil'
      | 'dva'
      | 'agt'
      | 'wrk'
    )
  | ('tgt' | 'scp' | 'res' | 'obs' | 'imp' | 'scn' | 'sch' | 'opr')
  | ('tsk' | 'chk' | 'cmt' | 'mth' | 'ntf' | 'wik' | 'vwr' | 'req' | 'fld' | 'env' | 'run' | 'seq' | 'viw')
  | ('cli' | 'fdn' | 'fnd' | 'aff' | 'lib' | 'rts' | 'rti' | 'rtp' | 'rpt' | 'sec' | 'rnd' | 'edn' | 'whe' | 'whd')

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RANDOM_BYTES = 10
const pool = Buffer.alloc(RANDOM_BYTES * 256)
let poolOffset = pool.length

/**
 * `prefix_` and 26 characters: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32. Ordered by time
 * when compared bytewise, which keeps index pages warm; opaque to clients.
 */
export const newId = (prefix: IdPrefix, nowMs: number = Date.now()): string => {
  let suffix = ''
  let time = nowMs
  for (let i = 0; i < 10; i++) {
    suffix = ALPHABET[time % 32] + suffix
    time = Math.floor(time / 32)
  }
  if (poolOffset >= pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  let bits = 0
  let buffered = 0
  for (let i = 0; i < RANDOM_BYTES; i++) {
    buffered = ((buffered << 8) | (pool[poolOffset++] as number)) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      suffix += ALPHABET[(buffered >> bits) & 31]
    }
  }
  return `${prefix}_${suffix}`
}

const SUFFIX = /^[0-9a-z]{26}$/

/** Reports whether a text has the grammar of an id with this prefix; the object may not exist. */
export const isId = (prefix: IdPrefix, value: string): boolean =>
  value.startsWith(`${prefix}_`) && SUFFIX.test(value.slice(prefix.length + 1))
