/** Most of a run's answers are of few kinds: the rest is not compiled. */
export const firstUse = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
