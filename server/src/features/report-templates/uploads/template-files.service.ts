import { Readable } from 'node:stream'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { isPicture, mediaTypeOf } from '../../../platform/files/media-type.ts'
import { type MemoryUploader, readUpload } from '../../../platform/files/read-upload.ts'
import { storeUpload } from '../../files/files.service.ts'
import { removeMadeFile } from '../../files/made-files.service.ts'
import { findBuiltIn } from '../built-in/index.ts'
import type { WordThreads } from '../check/word-threads.ts'
import type { StoredFile } from '../find-template.queries.ts'
import { findIsFileUsed, updateTemplate, updateVersion } from '../templates.queries.ts'
import {
  BUILT_IN,
  jsonColumns,
  lockOwn,
  nextTime,
  openDraft,
  record,
  requireTemplate,
  type WholeTemplate,
} from '../templates.service.ts'
import { familyOf } from './font-family.ts'

/** Bytes of each kind of file. */
const LIMITS = { docx: 50 * 1024 * 1024, logo: 10 * 1024 * 1024, font: 30 * 1024 * 1024 } as const
const MAX_FONTS = 20
const NO_PICTURE = 'This is not a PNG, JPEG, GIF, WebP or AVIF image.'
const NO_FONT = 'This is not a TTF or OTF font. WOFF fonts cannot be used in PDF files: upload the TTF or OTF.'

interface Upload {
  templateId: string
  fileName: string
  body: Readable
}

/** @throws ApiError NOT_FOUND, CONFLICT for a built-in template, VALIDATION_ERROR with the reason of a refusal */
export const uploadTemplateDocx = async (
  writer: Writer & MemoryUploader,
  actor: Actor,
  threads: WordThreads,
  upload: Upload,
): Promise<WholeTemplate> => {
  await requireOwn(writer, actor, upload.templateId)
  const bytes = await readUpload(writer, upload.body, LIMITS.docx)
  const refusal = await threads.run(actor.organizationId, 'findRefusal', { bytes })
  if (refusal !== null) throw invalid(refusal)
  return store(writer, actor, upload, bytes, (_template, docx) => ({ docx }))
}

/** @throws ApiError NOT_FOUND, CONFLICT for a built-in template, VALIDATION_ERROR for a file that is not an image */
export const uploadTemplateLogo = async (
  writer: Writer & MemoryUploader,
  actor: Actor,
  upload: Upload,
): Promise<WholeTemplate> => {
  await requireOwn(writer, actor, upload.templateId)
  const bytes = await readUpload(writer, upload.body, LIMITS.logo)
  if (!isPicture(mediaTypeOf(bytes.subarray(0, 64)))) throw invalid(NO_PICTURE)
  return store(writer, actor, upload, bytes, (_template, logo) => ({ logo }))
}

/**
 * A font of the same file name takes the place of the earlier one.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for a built-in template and too many fonts, VALIDATION_ERROR for another file
 */
export const uploadTemplateFont = async (
  writer: Writer & MemoryUploader,
  actor: Actor,
  upload: Upload,
): Promise<WholeTemplate> => {
  await requireOwn(writer, actor, upload.templateId)
  const bytes = await readUpload(writer, upload.body, LIMITS.font)
  const family = familyOf(bytes)
  if (family === undefined) throw invalid(NO_FONT)
  return store(writer, actor, upload, bytes, ({ version }, file) => {
    const others = version.fonts.filter(({ fileName }) => fileName !== file.fileName)
    if (others.length >= MAX_FONTS) throw conflict(`A template has at most ${MAX_FONTS} fonts.`)
    return { fonts: [...others, { ...file, family }] }
  })
}

/** Before the bytes are read. */
const requireOwn = async ({ db }: Writer, { organizationId }: Actor, templateId: string): Promise<void> => {
  await requireTemplate(db, organizationId, templateId)
  if (findBuiltIn(templateId)) throw conflict(BUILT_IN)
}

type FileColumns = Parameters<typeof jsonColumns>[0]

const store = async (
  writer: Writer,
  actor: Actor,
  { templateId, fileName }: Upload,
  bytes: Buffer,
  columnsWith: (template: WholeTemplate, file: StoredFile) => FileColumns,
): Promise<WholeTemplate> => {
  const { organizationId } = actor
  const { result } = await storeUpload(writer, actor, fileName, Readable.from([bytes]), async (tx, file) => {
    const template = await lockOwn(tx, organizationId, templateId)
    const { id: fileId, size, sha256 } = file
    const columns = columnsWith(template, { fileId, fileName, size, sha256 })
    const version = await openDraft(tx, writer, organizationId, template)
    await updateVersion(tx, organizationId, templateId, version, jsonColumns(columns))
    await updateTemplate(tx, organizationId, templateId, { updated_at: nextTime(writer, template.head) })
    await deleteReplaced(tx, organizationId, template, columns)
    const { name } = template.head
    await record(tx, writer, actor, 'changed', templateId, {
      before: { name },
      after: { name, changed: Object.keys(columns), file: fileName, sha256 },
    })
    const result = await requireTemplate(tx, organizationId, templateId)
    return { owner: { type: 'report_template', id: templateId }, engagementId: null, result }
  })
  return result
}

/** Files that no version names any more; a job removes their bytes. */
const deleteReplaced = async (
  tx: Transaction,
  organizationId: string,
  { head, version }: WholeTemplate,
  columns: FileColumns,
): Promise<void> => {
  const before = [
    ...('docx' in columns && version.docx ? [version.docx] : []),
    ...('logo' in columns && version.logo ? [version.logo] : []),
    ...('fonts' in columns ? version.fonts : []),
  ]
  for (const { fileId } of before) {
    if (await findIsFileUsed(tx, organizationId, head.id, fileId)) continue
    await removeMadeFile(tx, organizationId, { type: 'report_template', id: head.id }, fileId)
  }
}
