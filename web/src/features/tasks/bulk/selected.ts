import type { Input } from '@sortie/client/calls.ts'

/** Selection of a bulk change, as the API takes it. */
export type Selected = NonNullable<Input<'bulkDeleteTasks'>['body']>

/** `1 task was`, `1,200 tasks` */
export const countOfTasks = (count: number): string => (count === 1 ? '1 task' : `${count.toLocaleString('en')} tasks`)
