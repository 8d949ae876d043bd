let last: (() => void) | undefined

/** Keeps how the newest change is undone, for Ctrl+Z. */
export const rememberUndo = (undo: () => void): void => {
  last = undo
}

/** Drops it: it was used, or another user signs in. */
export const forgetUndo = (): void => {
  last = undefined
}

/** @returns how the newest change is undone; each is returned once */
export const consumeUndo = (): (() => void) | undefined => {
  const undo = last
  last = undefined
  return undo
}
