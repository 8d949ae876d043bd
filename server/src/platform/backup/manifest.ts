import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sha256 } from '../crypto.ts'
import { ConfigurationError } from '../errors.ts'

/** Written last: a directory without it is no backup. */
export const MANIFEST = 'manifest.json'
/** Below a backup: the Postgres directory, and what STORAGE_PATH held. */
export const DATABASE = 'database'
export const FILES = 'files'
const FORMAT = 1

export interface FileEntry {
  /** From the backup's directory, with slashes. */
  path: string
  bytes: number
  sha256: string
}

/** What a backup is made of, and what can restore it. */
export interface Manifest {
  format: number
  /** Version of the build that made it. */
  sortie: string
  /** Newest migration that the database has. */
  schema: number
  /** Major version of Postgres. */
  postgres: string
  /** System and processor: a Postgres directory fits no other. */
  platform: string
  systemIdentifier: string
  startedAt: string
  startLsn: string
  /** The database is restored as it was at this moment. */
  finishedAt: string
  endLsn: string
  directories: string[]
  files: FileEntry[]
}

/** The manifest as text, with a checksum of its own. */
export const formatManifest = (manifest: Manifest): string => `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 1)}\n`

const checksumOf = (manifest: object): string => sha256(JSON.stringify(manifest)).toString('hex')

/** What this build can restore. */
export interface Build {
  schema: number
  postgres: string
  platform: string
}

/** @throws ConfigurationError for what is no whole backup, or one that this build cannot restore */
export const readManifest = (backup: string, build: Build): Manifest => {
  const refuse = (reason: string) => new ConfigurationError([`${backup} ${reason}`])
  const file = path.join(backup, MANIFEST)
  if (!existsSync(file)) throw refuse(`is not a backup, or one that was interrupted: it has no ${MANIFEST}`)
  const manifest = parseManifest(readFileSync(file, 'utf8'))
  if (!manifest) throw refuse(`is damaged: ${MANIFEST} is not as it was written`)
  const { format, schema, postgres, platform, sortie } = manifest
  if (format !== FORMAT) throw refuse(`has the format ${format}, this build reads ${FORMAT}`)
  if (schema > build.schema)
    throw refuse(`has schema version ${schema}, this build knows versions up to ${build.schema}: restore it with Sortie ${sortie} or newer`)
  if (postgres !== build.postgres)
    throw refuse(`was made by Postgres ${postgres}, this build brings ${build.postgres}; see "Upgrading Postgres" in docs/operating.md`)
  if (platform !== build.platform) throw refuse(`was made on ${platform}, this machine is ${build.platform}: a Postgres directory fits no other`)
  return manifest
}

const parseManifest = (text: string): Manifest | undefined => {
  try {
    const { checksum, ...manifest } = JSON.parse(text) as Manifest & { checksum: string }
    const isWithin = (name: string) => path.posix.normalize(name) === name && [DATABASE, FILES].some((part) => name === part || name.startsWith(`${part}/`))
    const names = [...manifest.directories, ...manifest.files.map((entry) => entry.path)]
    return checksum === checksumOf(manifest) && names.every(isWithin) ? manifest : undefined
  } catch {
    return undefined
  }
}

export const newManifest = (contents: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...contents })
