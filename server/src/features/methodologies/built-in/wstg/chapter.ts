/**
 * A chapter of the guide: the prefix of its ids, its name, its folder on owasp.org, and its tests in the order of their
 * numbers, each with its name and a short text of our own.
 */
export type Chapter = readonly [
  prefix: string,
  name: string,
  folder: string,
  tests: readonly (readonly [title: string, text: string])[],
]
