import { crc32 } from 'node:zlib'
import { test } from 'vitest'

/** True in `npm run test:nightly`, which runs the long form of every test. */
export const isNightly = process.env['SORTIE_NIGHTLY'] === '1'

/** A test that only `npm run test:nightly` runs. */
export const nightly = test.runIf(isNightly)

/**
 * One in `count` of all variants, and at night all of them. The name, usually that of a route, selects them: routes
 * differ, every commit runs the same, and a new route changes the variants of no other.
 */
export const variantsFor = <T>(name: string, count: number, all: readonly T[]): readonly T[] =>
  isNightly ? all : all.filter((_, index) => (index + crc32(name)) % count === 0)

/**
 * One in `count` of all routes, selected by their names; at night all of them. Another `salt` gives another selection.
 */
export const sampleOf = <T extends { name: string }>(count: number, all: readonly T[], salt = ''): readonly T[] =>
  isNightly ? all : all.filter(({ name }) => crc32(salt + name) % count === 0)

/** Number of random cases for a property: a quarter of `all`, and at night all. */
export const runs = (all: number): number => (isNightly ? all : Math.ceil(all / 4))
