/** Where problems are told; pino's logger fits. */
export interface Log {
  error(details: object, message: string): void
}

/** How to reach the embedded Postgres: `host` is the directory of its socket. */
export interface SocketSettings {
  host: string
  port: number
  user: string
  database: string
}

/** Told while a backup or a restore goes on: how far it is, or a sentence for the operator. */
export type Report = (progress: { bytes: number; files: number } | string) => void
