/** Compiled at first use, because most answers of a run are of few kinds. */
export const firstUse = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
