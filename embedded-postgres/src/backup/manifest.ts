import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { bundledVersion } from '../binaries.ts'
import { EmbeddedPostgresError } from '../errors.ts'
import { seal, unseal } from './sealed.ts'

/** Written last: a directory without it is not a backup. */
export const MANIFEST = 'manifest.json'
/** Below a backup: the Postgres directory, and the files that belong to it. */
export const DATABASE = 'database'
export const FILES = 'files'
const FORMAT = 1

export interface FileEntry {
  /** From the backup's directory, with slashes. */
  path: string
  bytes: number
  sha256: string
}

/** Values that the caller adds to the manifest, such as the version of the schema. */
export type Facts = Readonly<Record<string, string | number>>

/** The contents of a backup, and the requirements to restore it. */
export interface Manifest {
  facts: Facts
  format: number
  /** Major version of Postgres. */
  postgres: string
  /** System and processor: a Postgres directory works on no other. */
  platform: string
  systemIdentifier: string
  startedAt: string
  startLsn: string
  /** The database is restored to its state at this moment. */
  finishedAt: string
  endLsn: string
  directories: string[]
  files: FileEntry[]
}

type Contents = Omit<Manifest, 'format' | 'postgres' | 'platform'>

export const newManifest = (contents: Contents): Manifest => ({
  format: FORMAT,
  postgres: majorVersion(),
  platform: platform(),
  ...contents,
})

/** The manifest as text, with its own checksum; the facts are on the top level with everything else. */
export const formatManifest = ({ facts, ...contents }: Manifest): string => seal({ ...facts, ...contents })

/** @throws EmbeddedPostgresError for an incomplete backup, or one of another format */
export const readManifest = (backup: string): Manifest => {
  const contents = readSealed(backup)
  if (contents['format'] !== FORMAT)
    throw new EmbeddedPostgresError(
      'backup',
      `${backup} has the format ${String(contents['format'])}, this build reads ${FORMAT}`,
    )
  const manifest = parseManifest(contents)
  if (!manifest) throw damaged(backup)
  return manifest
}

/** Reads the manifest of a backup of any format. @throws EmbeddedPostgresError for an incomplete backup */
export const readSealed = (backup: string): Record<string, unknown> => {
  const file = path.join(backup, MANIFEST)
  if (!existsSync(file))
    throw new EmbeddedPostgresError(
      'backup',
      `${backup} is not a backup, or one that was interrupted: it has no ${MANIFEST}`,
    )
  const contents = unseal(readFileSync(file, 'utf8'))
  if (!contents) throw damaged(backup)
  return contents
}

export const damaged = (backup: string) =>
  new EmbeddedPostgresError('backup', `${backup} is damaged: ${MANIFEST} has changed since it was written`)

/** @throws EmbeddedPostgresError for a backup that the Postgres of this build cannot run on this machine */
export const requireFitting = (backup: string, manifest: Manifest): void => {
  if (manifest.postgres !== majorVersion()) {
    throw new EmbeddedPostgresError(
      'backup',
      `${backup} was made by Postgres ${manifest.postgres}, this build brings ${majorVersion()}`,
      'upgrade',
    )
  }
  if (manifest.platform !== platform()) {
    const message = `${backup} was made on ${manifest.platform}, this machine is ${platform()}: a Postgres directory fits no other`
    throw new EmbeddedPostgresError('backup', message)
  }
}

const parseManifest = (flat: Record<string, unknown>): Manifest | undefined => {
  const {
    format,
    postgres,
    platform,
    systemIdentifier,
    startedAt,
    startLsn,
    finishedAt,
    endLsn,
    directories,
    files,
    ...facts
  } = flat as unknown as Manifest
  if (!Array.isArray(directories) || !Array.isArray(files)) return undefined
  const isWithin = (name: unknown) =>
    typeof name === 'string' &&
    path.posix.normalize(name) === name &&
    [DATABASE, FILES].some((part) => name === part || name.startsWith(`${part}/`))
  const names = [...directories, ...files.map((entry) => entry?.path)]
  if (!names.every(isWithin)) return undefined
  return {
    facts: facts as unknown as Facts,
    format,
    postgres,
    platform,
    systemIdentifier,
    startedAt,
    startLsn,
    finishedAt,
    endLsn,
    directories,
    files,
  }
}

const majorVersion = () => bundledVersion().split('.')[0] as string

const platform = () => `${process.platform}-${process.arch}`
