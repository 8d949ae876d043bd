/**
 * The subject of an error, so that the caller can name its own setting for it: the directory of the database, the
 * programs of Postgres on this machine, the directory of files that belongs to the database, or a backup.
 */
export type Subject = 'directory' | 'programs' | 'files' | 'backup'

/** The remedy, if the caller has to phrase it. */
export type Remedy = 'restore again' | 'restore it' | 'upgrade'

/** Something that the operator must change before this can work. */
export class EmbeddedPostgresError extends Error {
  readonly about: Subject
  readonly remedy: Remedy | undefined

  constructor(about: Subject, message: string, remedy?: Remedy) {
    super(message)
    this.name = 'EmbeddedPostgresError'
    this.about = about
    this.remedy = remedy
  }
}
