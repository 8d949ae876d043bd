export const TAKING_TURNS: { server: readonly string[]; browser: readonly string[] }
export const turnOfCommit: () => number
export const notInTurn: (files: readonly string[], turn?: string) => string[]
