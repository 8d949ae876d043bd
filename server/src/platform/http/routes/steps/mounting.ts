import type { Door } from '@sortie/contract/core/endpoint.ts'
import type { Actor } from '../../../auth/actor.ts'
import type { Platform, Writer } from '../../../context.ts'
import type { CostGate } from '../../limits/costs.ts'
import type { Access, AuthGate } from '../doors.ts'
import type { Route } from '../route.ts'
import type { RequestParser } from '../validate.ts'

/** What a caller downloads. */
export interface NotedDownload {
  /** Id of the endpoint. */
  endpointId: string
  fileName: string
  /** Ids and values of the path, by parameter. */
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
}

/** Records a download before its first byte is sent. */
export type RecordDownload = (writer: Writer, actor: Actor, download: NotedDownload) => Promise<void>

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

/** A mounting whose answer may be a file that leaves the product. */
export interface DownloadMounting extends Mounting {
  recordDownload: RecordDownload
}
