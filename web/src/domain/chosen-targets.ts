import type { Input } from '@sortie/client/calls.ts'

/** Targets selected in their list for a scan, as the API takes them. */
export type ChosenTargets = Pick<NonNullable<Input<'createScan'>['body']>['targets'], 'ids' | 'filter'>

declare module '@tanstack/react-router' {
  /** State passed to the next page; survives a reload. */
  interface HistoryState {
    chosenTargets?: ChosenTargets
  }
}
