import type { Input } from '@sortie/client/calls.ts'

/** Targets that were chosen in their list, to be scanned: as the API takes them. */
export type ChosenTargets = Pick<NonNullable<Input<'createScan'>['body']>['targets'], 'ids' | 'filter'>

declare module '@tanstack/react-router' {
  /** What one page hands to the next, and a reload keeps. */
  interface HistoryState {
    chosenTargets?: ChosenTargets
  }
}
