import Type, { type TObject, type TProperties } from 'typebox'
import { closedObject, endpoint, Id, Line, Nullable, NullableString, one, Timestamp, AuthorId } from './endpoint.ts'
import { declareList } from './lists.ts'
import type { About, Guard } from './scopes.ts'
import { ENGAGEMENT_ARCHIVED } from './values.ts'

/** Detected from the first bytes of a file: browsers display these types inline, and save all others. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const
export const OTHER_TYPE = 'application/octet-stream'

const FileName = Line(255, {
  examples: ['scan-results.xml'],
  description: 'only shown and suggested to browsers; never part of a path',
})

/** In characters. */
export const MAX_CAPTION = 300

/** A file, whatever it is attached to. */
export const StoredFile = closedObject({
  id: Id('fil'),
  fileName: FileName,
  size: Type.Integer({ minimum: 1, description: 'bytes' }),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    maxLength: 64,
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  mediaType: Type.Unsafe<(typeof PICTURE_TYPES)[number] | typeof OTHER_TYPE>({
    type: 'string',
    enum: [...PICTURE_TYPES, OTHER_TYPE],
  }),
  runId: NullableString('the run that created it; null for uploaded files'),
  caption: Type.String({ maxLength: MAX_CAPTION, description: 'what the file shows; only files of findings have one' }),
  position: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'its place among the files of a finding, from 0; null: after those with a place, oldest first',
  }),
  createdBy: Nullable({ id: AuthorId(), name: Type.String() }, 'null for an API key'),
  createdAt: Timestamp(),
  sealed: Type.Boolean({
    description:
      'true for a picture that was redacted: another file is shown wherever texts refer to it, and only callers who may redact it see it at all',
  }),
  redactedBy: NullableString('the file that is shown in its place; null if it is not sealed, or that file was deleted'),
})

export const EXAMPLE_FILE = {
  id: 'fil_01jd7w2v4pf1y8m3c6k9t0r5xz',
  fileName: 'scan-results.xml',
  size: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  mediaType: 'application/octet-stream',
  runId: null,
  caption: '',
  position: null,
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  sealed: false,
  redactedBy: null,
}

export const fileList = declareList({ name: 'files', item: StoredFile, sorts: ['createdAt'] })

/** A type of object that files are attached to. */
interface FileOwner<N extends string, P extends TProperties, R extends Guard, W extends Guard> {
  /** Part of the endpoint ids: `Task` for `uploadTaskFile`; empty for engagements. */
  noun: N
  /** Display name: `a task`. */
  name: string
  /** Path of one object: `/tasks/:taskId`. */
  path: string
  params: P
  read: R
  write: W
  about: About
  /**
   * Messages of the 409 responses when files are added or deleted, in addition to the one for an archived engagement.
   */
  conflicts?: readonly string[]
}

export const MAX_REDACTED_BYTES = 50 * 1024 * 1024
export const REDACTS_NO_PICTURE = 'redacts: must be a picture'
export const NOT_A_REDACTION = 'The file must be a complete PNG or JPEG picture.'
export const REDACTED_ALREADY = 'This picture is already redacted: redact the file that is shown in its place.'

const UPLOAD =
  'The body is the file itself, with any `Content-Type`; its name is in the query. The server detects `mediaType` from the content. Files larger than `UPLOAD_LIMIT_BYTES` get 400. An upload may take hours, but is aborted when no data arrives for 16 seconds.'
const SHOWN_AS =
  'Pictures (PNG, JPEG, GIF, WebP, AVIF) may be shown in a page, everything else is `application/octet-stream` to be saved; neither can run anything.'

const PLAIN = {
  upload: { description: UPLOAD, query: closedObject({ fileName: FileName }), conflicts: [] },
  download: { description: `The answer is the file as it was uploaded. ${SHOWN_AS}`, query: closedObject({}) },
}

/** Of an object whose pictures can be redacted. */
const REDACTABLE = {
  upload: {
    description: `${UPLOAD}\n\nWith \`redacts\` the file replaces a picture of the same object: wherever texts refer to that one, this one is shown. The original is \`sealed\`: it is part of no report, and of no list or download of callers without the write scope. It can be deleted, and is never shown again otherwise, even if this file is deleted. The file is a PNG or JPEG picture of at most 50 MiB; the server stores it without metadata, further frames, and anything else that could show the original, so \`sha256\` can differ from that of the upload.`,
    query: closedObject({
      fileName: FileName,
      redacts: Type.Optional(Id('fil', 'the picture that this one replaces')),
    }),
    conflicts: [REDACTED_ALREADY],
    refusals: [REDACTS_NO_PICTURE, NOT_A_REDACTION],
  },
  download: {
    description: `The answer is the file as it was uploaded; for a sealed one, the file that is shown in its place. ${SHOWN_AS}`,
    query: closedObject({
      original: Type.Optional(
        Type.Boolean({ description: 'a sealed file itself; 404 for callers without the write scope' }),
      ),
    }),
  },
}

interface FileQueries<U extends TObject, D extends TObject> {
  upload: { description: string; query: U; conflicts: readonly string[]; refusals?: readonly string[] }
  download: { description: string; query: D }
}

/** The file endpoints of one type of object; export each under its id. */
export const fileEndpointsOf = <const N extends string, P extends TProperties, R extends Guard, W extends Guard>(
  owner: FileOwner<N, P, R, W>,
) => endpointsOf(owner, PLAIN)

/** Like `fileEndpointsOf`, of an object whose pictures can be redacted. */
export const redactableFileEndpointsOf = <
  const N extends string,
  P extends TProperties,
  R extends Guard,
  W extends Guard,
>(
  owner: FileOwner<N, P, R, W>,
) => endpointsOf(owner, REDACTABLE)

const endpointsOf = <
  const N extends string,
  P extends TProperties,
  R extends Guard,
  W extends Guard,
  U extends TObject,
  D extends TObject,
>(
  owner: FileOwner<N, P, R, W>,
  { upload, download }: FileQueries<U, D>,
) => {
  const { noun, name, path, read, write, about } = owner
  const conflicts = [ENGAGEMENT_ARCHIVED, ...(owner.conflicts ?? [])]
  const ofOwner = closedObject(owner.params)
  const ofFile = closedObject({ ...owner.params, fileId: Id('fil') })
  return {
    upload: endpoint({
      id: `upload${noun}File` as const,
      method: 'POST',
      path: `${path}/files`,
      scope: write,
      about,
      origin: 'extension',
      summary: `Upload a file to ${name}.`,
      description: upload.description,
      params: ofOwner,
      query: upload.query,
      consumes: 'bytes',
      reply: one(StoredFile),
      status: 201,
      ...(upload.refusals && { refusals: upload.refusals }),
      conflicts: [
        ...conflicts,
        ...upload.conflicts,
        'This organization may store 21474836480 bytes, including its files: delete some first.',
      ],
      example: { reply: { data: EXAMPLE_FILE } },
    }),
    list: endpoint({
      id: `list${noun}Files` as const,
      method: 'GET',
      path: `${path}/files`,
      scope: read,
      about,
      origin: 'extension',
      summary: `List the files of ${name}, newest first.`,
      params: ofOwner,
      query: fileList.query,
      reply: fileList.reply,
      example: { reply: { data: [EXAMPLE_FILE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
    }),
    download: endpoint({
      id: `download${noun}File` as const,
      method: 'GET',
      path: `${path}/files/:fileId`,
      scope: read,
      about,
      origin: 'extension',
      summary: `Download a file of ${name}.`,
      description: download.description,
      params: ofFile,
      query: download.query,
      reply: Type.String(),
      produces: 'file',
    }),
    remove: endpoint({
      id: `delete${noun}File` as const,
      method: 'DELETE',
      path: `${path}/files/:fileId`,
      scope: write,
      about,
      origin: 'extension',
      summary: `Delete a file of ${name}.`,
      params: ofFile,
      reply: one(closedObject({ deleted: Type.Boolean(), id: Id('fil') })),
      conflicts,
      example: { reply: { data: { deleted: true, id: EXAMPLE_FILE.id } } },
    }),
  }
}

const ofEngagements = fileEndpointsOf({
  noun: '',
  name: 'an engagement',
  path: '/engagements/:engagementId',
  params: { engagementId: Id('eng') },
  read: 'setting:ENGAGEMENT_READ_SCOPE',
  write: 'setting:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
})

export const uploadFile = ofEngagements.upload
export const listFiles = ofEngagements.list
export const downloadFile = ofEngagements.download
export const deleteFile = ofEngagements.remove
