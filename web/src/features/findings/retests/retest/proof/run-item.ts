import type { Output } from '@sortie/client/calls.ts'

/** The run or scan that was started for an item, and what to compare it with. */
export type Started = Output<'runRetestItem'>['data']
