export interface AttachedFile {
  id: string
  fileName: string
  /** Bytes. */
  size: number
  mediaType: string
  caption: string
  /** Place among the files of a finding; null: after those with a place. */
  position: number | null
  /** Redacted: reports and texts show another file in its place. */
  sealed: boolean
}

/** What the server sends as a picture; anything else is only downloaded. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

export const isPicture = ({ mediaType }: AttachedFile): boolean => PICTURES.has(mediaType)
