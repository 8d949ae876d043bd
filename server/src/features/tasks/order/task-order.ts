import { orderOf } from '../../../platform/lists/order.ts'

export const taskOrder = orderOf('tasks', 'task')
