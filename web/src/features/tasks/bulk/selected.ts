import type { Input } from '@sortie/client/calls.ts'

/** Selection of a bulk change, as the API takes it. */
export type Selected = NonNullable<Input<'bulkDeleteTasks'>['body']>

/** `1 task was`, `1,200 tasks were` */
export const countOfTasks = (count: number): string => (count === 1 ? '1 task was' : `${count.toLocaleString('en')} tasks were`)
