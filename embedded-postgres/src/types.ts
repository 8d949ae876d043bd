/** Receives reports of problems; pino's logger fits. */
export interface Log {
  error(details: object, message: string): void
}

/** Address of the embedded Postgres: `host` is the directory of its socket. */
export interface SocketSettings {
  host: string
  port: number
  user: string
  database: string
}

/** Called during a backup or a restore with the progress, or a sentence for the operator. */
export type Report = (progress: { bytes: number; files: number } | string) => void
