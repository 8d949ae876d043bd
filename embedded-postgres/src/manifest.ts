import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { bundledVersion } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'

/** Written last: a directory without it is no backup. */
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

/** What whoever makes a backup adds to its manifest, such as the version of the schema. */
export type Facts = Readonly<Record<string, string | number>>

/** What a backup is made of, and what can restore it. */
export interface Manifest {
  facts: Facts
  format: number
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

type Contents = Omit<Manifest, 'format' | 'postgres' | 'platform'>

export const newManifest = (contents: Contents): Manifest => ({ format: FORMAT, postgres: majorVersion(), platform: platform(), ...contents })

/** The manifest as text, with a checksum of its own; the facts stand beside everything else. */
export const formatManifest = ({ facts, ...contents }: Manifest): string => {
  const flat = { ...facts, ...contents }
  return `${JSON.stringify({ ...flat, checksum: checksumOf(flat) }, null, 1)}\n`
}

/** @throws EmbeddedPostgresError for what is no whole backup, or one that this Postgres cannot run */
export const readManifest = (backup: string): Manifest => {
  const file = path.join(backup, MANIFEST)
  if (!existsSync(file)) throw new EmbeddedPostgresError('backup', `${backup} is not a backup, or one that was interrupted: it has no ${MANIFEST}`)
  const manifest = parseManifest(readFileSync(file, 'utf8'))
  if (!manifest) throw new EmbeddedPostgresError('backup', `${backup} is damaged: ${MANIFEST} is not as it was written`)
  if (manifest.format !== FORMAT) throw new EmbeddedPostgresError('backup', `${backup} has the format ${manifest.format}, this build reads ${FORMAT}`)
  if (manifest.postgres !== majorVersion()) {
    throw new EmbeddedPostgresError('backup', `${backup} was made by Postgres ${manifest.postgres}, this build brings ${majorVersion()}`, 'upgrade')
  }
  if (manifest.platform !== platform()) {
    const message = `${backup} was made on ${manifest.platform}, this machine is ${platform()}: a Postgres directory fits no other`
    throw new EmbeddedPostgresError('backup', message)
  }
  return manifest
}

const parseManifest = (text: string): Manifest | undefined => {
  try {
    const { checksum, ...flat } = JSON.parse(text) as Manifest & { checksum: string }
    const { format, postgres, platform, systemIdentifier, startedAt, startLsn, finishedAt, endLsn, directories, files, ...facts } = flat
    const isWithin = (name: string) => path.posix.normalize(name) === name && [DATABASE, FILES].some((part) => name === part || name.startsWith(`${part}/`))
    const names = [...directories, ...files.map((entry) => entry.path)]
    if (checksum !== checksumOf(flat) || !names.every(isWithin)) return undefined
    return { facts: facts as unknown as Facts, format, postgres, platform, systemIdentifier, startedAt, startLsn, finishedAt, endLsn, directories, files }
  } catch {
    return undefined
  }
}

const checksumOf = (manifest: object): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

const majorVersion = () => bundledVersion().split('.')[0] as string

const platform = () => `${process.platform}-${process.arch}`
