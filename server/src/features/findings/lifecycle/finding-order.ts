import { orderOf } from '../../../platform/lists/order.ts'

export const findingOrder = orderOf('findings', 'finding')
