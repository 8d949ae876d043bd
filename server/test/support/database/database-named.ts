import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'

/** Another database of the same server. */
export const databaseNamed = (settings: ConnectionSettings, database: string): ConnectionSettings => {
  if (!('connectionString' in settings)) return { ...settings, database }
  const url = new URL(settings.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.toString() }
}
