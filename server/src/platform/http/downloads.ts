import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { unavailable } from '../errors.ts'

/** A file as a handler answers with it: one that is stored, or what a row holds. */
export type Download = NamedFile & (StoredContent | { content: Buffer })

interface StoredContent {
  /** Open; closed once it was sent. */
  file: FileHandle
  /** Bytes. */
  size: number
}

interface NamedFile {
  fileName: string
  mediaType: string
  /** Shown in a page rather than saved. */
  isInline: boolean
}

/** Files that are sent at once: each holds a descriptor for as long as its client takes to read it (S25). */
const MAX_OPEN_FILES = 256

export interface OpenFiles {
  /** @throws ApiError 503 while as many files as possible are being sent */
  admit(reply: FastifyReply): void
}

export const countOpenFiles = (): OpenFiles => {
  let open = 0
  return {
    admit: (reply) => {
      if (open >= MAX_OPEN_FILES) throw unavailable('Too many files are being downloaded. Try again shortly.')
      open++
      reply.raw.once('close', () => open--)
    },
  }
}

/** Whatever a file holds, a browser that opens it runs nothing (abuse case U5). */
const SANDBOX = 'sandbox'

/** Streams the file; HEAD gets its headers alone. */
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

/** What systems take for a part of a path, or refuse in a name. */
const PATH_CHARACTERS = /[\\/:*?"<>|]/g

/**
 * The name under which a browser saves a file: in ASCII for old programs, and as it is for the others (RFC 6266, RFC 8187). Nothing in it
 * ends the header, and nothing leads out of the directory that it is saved in (RFC 6266, section 4.3).
 */
export const contentDisposition = (kind: 'inline' | 'attachment', fileName: string): string => {
  const safe = fileName.replace(PATH_CHARACTERS, '_').replace(/^\.+/, '_')
  const plain = safe.replace(/[^\x20-\x7e]|%/gu, '_')
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
