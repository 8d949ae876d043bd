import type { ConnectionSettings } from '../database/open.ts'
import type { Addition, CountedWindow } from '../http/window-batch.ts'

/** What a process of a server with several is for. */
export type Duty = 'api' | 'worker'

/** What a process is told before it does anything. */
export interface Assignment {
  duty: Duty
  /** As the log and the metrics name it: `api-1`, `worker`. */
  name: string
  /** Processes that answer requests, this one included. */
  apiProcesses: number
  settings: ConnectionSettings
  /** Answer 503 while the database is prepared, as nobody else answers yet; otherwise requests are taken once they can be served. */
  listensAtOnce: boolean
}

export type ToProcess =
  | { kind: 'begin'; assignment: Assignment }
  | { kind: 'counted'; id: number; windows: CountedWindow[] }
  | { kind: 'tell metrics'; id: number }
  | { kind: 'metrics'; id: number; texts: string[] }
  /** Take no new connections, serve the open ones until their clients have gone elsewhere, end. */
  | { kind: 'retire' }

export type ToSupervisor =
  | { kind: 'hello' }
  | { kind: 'ready'; port: number; isFirstStart: boolean }
  /** It cannot run as it is configured: one line each for the operator. */
  | { kind: 'refused'; lines: readonly string[] }
  | { kind: 'count'; id: number; additions: Addition[] }
  | { kind: 'collect metrics'; id: number }
  | { kind: 'told metrics'; id: number; text: string }
