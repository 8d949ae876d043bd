import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** The server has a lock file of its own, and is installed where walks over the sources do not look. */
const LOCKED = path.resolve('server/test/support/storage/s3rver')
const INSTALLED = path.resolve('node_modules/.cache/sortie-s3rver')

const install = () => {
  const lock = path.join(INSTALLED, 'package-lock.json')
  // npm writes this file last.
  const isInstalled = existsSync(path.join(INSTALLED, 'node_modules/.package-lock.json'))
  if (isInstalled && readFileSync(lock, 'utf8') === readFileSync(path.join(LOCKED, 'package-lock.json'), 'utf8')) return
  rmSync(INSTALLED, { recursive: true, force: true })
  cpSync(LOCKED, INSTALLED, { recursive: true })
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', '--prefix', INSTALLED, ...options], { cwd: INSTALLED, stdio: 'inherit' })
}

interface S3rver {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}
type S3rverClass = new (options: object) => S3rver

export interface S3Server {
  port: number
  /** Of the bucket: an object is the file `KEY._S3rver_object` below it. */
  directory: string
  /** Settings of a server that keeps its files there. */
  env(prefix: string, port?: number): Record<string, string>
  close(): Promise<void>
}

export const BUCKET = 'files'

/** A server of S3 with one empty bucket. It checks signatures. */
export const startS3Server = async (): Promise<S3Server> => {
  install()
  const S3rver = createRequire(path.join(INSTALLED, 'package.json'))('s3rver') as S3rverClass
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-s3-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: BUCKET }] }
  const server = new S3rver(options)
  const { port } = await server.run()
  return {
    port,
    directory: path.join(directory, BUCKET),
    env: (prefix, through = port) => ({
      STORAGE_URL: `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(`http://127.0.0.1:${through}`)}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    }),
    close: async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
