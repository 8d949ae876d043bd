import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { unavailable } from '../../errors.ts'
import type { OpenedFile } from '../../files/storage.ts'

/** A file that a handler answers with: from storage, or from a row. */
export type Download = NamedFile & (StoredContent | { content: Buffer })

interface StoredContent {
  /** Open; closed after it is sent. */
  file: OpenedFile
  /** In bytes. */
  size: number
}

interface NamedFile {
  fileName: string
  mediaType: string
  /** Shown in a page rather than saved. */
  isInline: boolean
}

/** Files that are sent at the same time: each holds a descriptor for as long as its client reads (S25). */
const MAX_OPEN_FILES = 256

export interface OpenFiles {
  /** Maximum number of files that are sent at the same time; tests lower it. */
  max: number
  /** @throws ApiError 503 while the maximum number of files is being sent */
  admit(reply: FastifyReply): void
}

export const countOpenFiles = (): OpenFiles => {
  let open = 0
  const files: OpenFiles = {
    max: MAX_OPEN_FILES,
    admit: (reply) => {
      if (open >= files.max) throw unavailable('Too many files are being downloaded. Try again shortly.')
      open++
      reply.raw.once('close', () => open--)
    },
  }
  return files
}

/** Whatever a file contains, a browser that opens it runs nothing (abuse case U5). */
const SANDBOX = 'sandbox'

/** Streams the file; HEAD gets only its headers. */
export const sendDownload = async (reply: FastifyReply, download: Download): Promise<FastifyReply> => {
  const { fileName, mediaType, isInline } = download
  const size = 'content' in download ? download.content.length : download.size
  reply.type(mediaType).headers({
    'content-length': size,
    'content-disposition': contentDisposition(isInline ? 'inline' : 'attachment', fileName),
    'content-security-policy': SANDBOX,
  })
  if ('content' in download) return reply.send(reply.request.method === 'HEAD' ? Readable.from([]) : download.content)
  const { file } = download
  if (reply.request.method !== 'HEAD') return reply.send(file.createReadStream())
  await file.close()
  return reply.send(Readable.from([]))
}

/** Characters that systems treat as part of a path, or refuse in a name. */
const PATH_CHARACTERS = /[\\/:*?"<>|]/g

/**
 * The name under which a browser saves a file: in ASCII for old programs, and in full for others (RFC 6266, RFC 8187).
 * Nothing in the name can end the header or leave the download directory (RFC 6266, section 4.3).
 */
export const contentDisposition = (kind: 'inline' | 'attachment', fileName: string): string => {
  const safe = fileName.replace(PATH_CHARACTERS, '_').replace(/^\.+/, '_')
  const plain = safe.replace(/[^\x20-\x7e]|%/gu, '_')
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
