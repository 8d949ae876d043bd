import type { Door } from '@sortie/contract/core/endpoint.ts'
import type { Platform } from '../../../context.ts'
import type { CostGate } from '../../limits/costs.ts'
import type { Access, AuthGate } from '../doors.ts'
import type { Route } from '../route.ts'
import type { RequestParser } from '../validate.ts'

/** One endpoint at one door, with everything that its requests pass. */
export interface Mounting extends Route {
  platform: Platform
  door: Door
  gate: AuthGate
  access: Access
  costs: CostGate
  parser: RequestParser
  /** In bytes. */
  bodyLimit: number
}
