import type { Input } from '@sortie/client/calls.ts'

/** What a bulk change is about, as the API takes it. */
export type Selected = NonNullable<Input<'bulkDeleteTasks'>['body']>

/** `1 task was`, `1,200 tasks were` */
export const countOfTasks = (count: number): string => (count === 1 ? '1 task was' : `${count.toLocaleString('en')} tasks were`)
