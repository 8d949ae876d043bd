import { spawn } from 'node:child_process'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import type { Stage } from '../app/server-process.ts'

const moduleAt = (path: string): string =>
  JSON.stringify(new URL(`../../../src/platform/${path}`, import.meta.url).href)

/**
 * A process that only migrates, so that it can be killed. @param directory of migrations that replace those of this
 * build
 */
export const migrateInProcess = (stage: Stage, settings: ConnectionSettings, directory?: string) => {
  const code = `
    import { migrate, readMigrations } from ${moduleAt('database/migrate.ts')}
    import { createLogger } from ${moduleAt('log.ts')}
    await migrate(${JSON.stringify(settings)}, createLogger('info'), undefined, readMigrations(${JSON.stringify(directory)}))`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  stage.add(() => child.kill('SIGKILL'))
  return { child, exited, output: () => output }
}
