import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/reports/report-templates.ts'
import type { TemplateSettingsValue } from '@sortie/contract/reports/report-templates.ts'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { canonicalJson } from '../../platform/text/json.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { requireStorage } from '../files/storage-quota.service.ts'
import { copyFile } from '../files/storage/copied-files.service.ts'
import { findBuiltIn, builtInFor } from './built-in/index.ts'
import { requireFileNamePattern } from './file-name-pattern.ts'
import { findVersion, type StoredFile, type StoredFont, type VersionRow } from './find-template.queries.ts'
import * as query from './templates.queries.ts'

export const MAX_TEMPLATES = 200
export const BUILT_IN = 'This template is built in: copy it, and change the copy.'
const STALE = 'This template was changed in the meantime. Read it again, then repeat the change.'
const IN_USE = 'A report uses this template: move it to another one first.'

/** A template with the texts of one of its versions. */
export interface WholeTemplate {
  head: query.HeadRow
  version: Pick<VersionRow, 'settings' | 'sections' | 'typst' | 'docx' | 'logo' | 'fonts' | 'version' | 'published_at'>
}

/** Reports that use a template, known to the feature of reports. */
export interface TemplateUses {
  /** Reports whether any report of the organization names the template, visible to the caller or not. */
  isUsed(tx: Transaction, organizationId: string, templateId: string): Promise<boolean>
  /** It is not the default of the organization any more. */
  forgetDefault(tx: Transaction, organizationId: string, templateId: string): Promise<void>
}

/** @throws ApiError NOT_FOUND for an unknown or hidden template, and for a version that it does not have */
export const requireTemplate = async (
  db: Database,
  organizationId: string,
  templateId: string,
  wanted?: number,
): Promise<WholeTemplate> => {
  const head = await query.findHead(db, organizationId, templateId)
  if (!head) throw notFound()
  const number = wanted ?? head.version
  const builtIn = findBuiltIn(templateId)
  if (builtIn) {
    if (number !== builtIn.version) throw notFound()
    const { settings, sections, typst, version } = builtIn
    return {
      head,
      version: { settings, sections, typst, version, docx: null, logo: null, fonts: [], published_at: head.created_at },
    }
  }
  const version = await findVersion(db, organizationId, templateId, number)
  if (!version) throw notFound()
  return { head, version }
}

/** @throws ApiError VALIDATION_ERROR for an unknown client, CONFLICT beyond the limit */
export const createReportTemplate = (
  writer: Writer,
  actor: Actor,
  { name, description = '', clientId = null }: Body<typeof contract.createReportTemplate>,
): Promise<WholeTemplate> =>
  writer.change(async (tx) => {
    const { settings, sections, typst } = builtInFor('final')
    return add(tx, writer, actor, { name, description, clientId, settings, sections, typst })
  })

/** Files of the original get rows and bytes of their own. @throws ApiError NOT_FOUND, CONFLICT beyond the limits */
export const copyReportTemplate = (
  writer: Writer,
  actor: Actor,
  templateId: string,
  name: string | undefined,
): Promise<WholeTemplate> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const { head, version } = await requireTemplate(tx, organizationId, templateId)
    const { settings, sections, typst } = version
    const copied = await add(tx, writer, actor, {
      name: name ?? copyName(head.name),
      description: head.description,
      clientId: head.client_id,
      settings,
      sections,
      typst,
    })
    const { id } = copied.head
    const copying = { actor, clock: writer.clock, config: writer.config, storage: writer.storage, to: null }
    const copy = async <F extends StoredFile>(file: F): Promise<F> => ({
      ...file,
      fileId: await copyFile(tx, copying, file.fileId, { type: 'report_template', from: templateId, to: id }),
    })
    const files = {
      docx: version.docx && (await copy(version.docx)),
      logo: version.logo && (await copy(version.logo)),
      fonts: await inTurn(version.fonts, copy),
    }
    await query.updateVersion(tx, organizationId, id, 1, jsonColumns(files))
    return requireTemplate(tx, organizationId, id)
  })

const MAX_NAME = 100
const copyName = (name: string): string => `${[...name].slice(0, MAX_NAME - 7).join('')} (copy)`

const inTurn = async <T>(items: readonly T[], work: (item: T) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (const item of items) results.push(await work(item))
  return results
}

interface Added {
  name: string
  description: string
  clientId: string | null
  settings: TemplateSettingsValue
  sections: VersionRow['sections']
  typst: VersionRow['typst']
}

const add = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  { name, description, clientId, ...content }: Added,
): Promise<WholeTemplate> => {
  const { clock } = writer
  const { organizationId } = actor
  await acquireFairLocks(tx, { exclusive: [`report templates ${organizationId}`] })
  if ((await query.countTemplates(tx, organizationId)) >= MAX_TEMPLATES)
    throw conflict(`An organization has at most ${MAX_TEMPLATES} report templates.`)
  await requireClient(tx, organizationId, clientId)
  await requireStorage(tx, writer, organizationId, Buffer.byteLength(JSON.stringify(content)))
  const id = newId('rtp', clock.now())
  const now = isoTime(clock.now())
  await query.insertTemplate(tx, {
    id,
    organization_id: organizationId,
    client_id: clientId,
    name,
    description,
    version: 1,
    created_by: authorOf(actor),
    created_at: now,
    updated_at: now,
  })
  await query.insertVersion(tx, {
    organization_id: organizationId,
    template_id: id,
    version: 1,
    ...jsonColumns(content),
    created_at: now,
  })
  await record(tx, writer, actor, 'created', id, { after: { name, ...(clientId && { clientId }) } })
  return requireTemplate(tx, organizationId, id)
}

/** Unchanged values have no effect. @throws ApiError NOT_FOUND, CONFLICT, VALIDATION_ERROR */
export const updateReportTemplate = (
  writer: Writer,
  actor: Actor,
  templateId: string,
  { ifUpdatedAt, ...wanted }: Body<typeof contract.updateReportTemplate>,
): Promise<WholeTemplate> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const { head, version } = await lockOwn(tx, organizationId, templateId)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== head.updated_at) throw conflict(STALE)
    requireContent(wanted)
    if (wanted.clientId !== undefined && wanted.clientId !== head.client_id)
      await requireClient(tx, organizationId, wanted.clientId)
    const before = {
      name: head.name,
      description: head.description,
      clientId: head.client_id,
      settings: version.settings,
      sections: version.sections,
      typst: version.typst,
    }
    const isChanged = (field: keyof typeof before): boolean =>
      wanted[field] !== undefined && canonicalJson(wanted[field]) !== canonicalJson(before[field])
    const content = CONTENT.filter(isChanged)
    const heads = HEADS.filter(isChanged)
    if (content.length === 0 && heads.length === 0) return { head, version }
    const { settings, sections, typst } = { ...before, ...wanted }
    if (content.length > 0) {
      await requireStorage(tx, writer, organizationId, Buffer.byteLength(JSON.stringify({ settings, sections, typst })))
      const number = await openDraft(tx, writer, organizationId, { head, version })
      await query.updateVersion(tx, organizationId, templateId, number, jsonColumns({ settings, sections, typst }))
    }
    await query.updateTemplate(tx, organizationId, templateId, {
      ...(wanted.name !== undefined && { name: wanted.name }),
      ...(wanted.description !== undefined && { description: wanted.description }),
      ...(wanted.clientId !== undefined && { client_id: wanted.clientId }),
      updated_at: nextTime(writer, head),
    })
    const changed = [...heads, ...content]
    await record(tx, writer, actor, 'changed', templateId, {
      before: { name: head.name, ...(heads.includes('clientId') && { clientId: head.client_id }) },
      after: {
        name: wanted.name ?? head.name,
        changed,
        ...(heads.includes('clientId') && { clientId: wanted.clientId }),
      },
    })
    return requireTemplate(tx, organizationId, templateId)
  })

const CONTENT = ['settings', 'sections', 'typst'] as const
const HEADS = ['name', 'description', 'clientId'] as const

const requireContent = ({ settings, sections }: Body<typeof contract.updateReportTemplate>): void => {
  if (settings?.fileNamePattern !== undefined)
    requireFileNamePattern('settings.fileNamePattern', settings.fileNamePattern)
  for (const [language, list] of Object.entries(sections ?? {})) {
    const keys = new Set<string>()
    for (const { key } of list) {
      if (keys.has(key)) throw invalid(`sections.${language}: two sections have the key ${key}`)
      keys.add(key)
    }
  }
}

/** @throws ApiError NOT_FOUND, CONFLICT for a built-in one and for one that a report uses */
export const deleteReportTemplate = (
  writer: Writer,
  actor: Actor,
  templateId: string,
  { isUsed, forgetDefault }: TemplateUses,
): Promise<void> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    if (findBuiltIn(templateId)) throw conflict(BUILT_IN)
    const head = await query.lockForDeletion(tx, organizationId, templateId)
    if (!head) throw notFound()
    if (await isUsed(tx, organizationId, templateId)) throw conflict(IN_USE)
    await forgetDefault(tx, organizationId, templateId)
    await query.deleteTemplate(tx, organizationId, templateId)
    await record(tx, writer, actor, 'deleted', templateId, { before: { name: head.name } })
  })

/** The version stays as it is from then on. @throws ApiError NOT_FOUND, CONFLICT */
export const publishVersion = (
  writer: Writer,
  actor: Actor,
  templateId: string,
  checked: { updatedAt: string },
): Promise<WholeTemplate> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const { head } = await lockOwn(tx, organizationId, templateId)
    requireDraft(head)
    // What was checked is what is published.
    if (head.updated_at !== checked.updatedAt) throw conflict(STALE)
    const now = nextTime(writer, head)
    await query.updateVersion(tx, organizationId, templateId, head.version, { published_at: now })
    await query.updateTemplate(tx, organizationId, templateId, { published_version: head.version, updated_at: now })
    await record(tx, writer, actor, 'published', templateId, { after: { name: head.name, version: head.version } })
    return requireTemplate(tx, organizationId, templateId)
  })

export const requireDraft = ({ built_in: isBuiltIn, state }: query.HeadRow): void => {
  if (isBuiltIn) throw conflict(BUILT_IN)
  if (state === 'published') throw conflict('This version is published already.')
}

/** Locks a template for a change. @throws ApiError NOT_FOUND, CONFLICT for a built-in one */
export const lockOwn = async (tx: Transaction, organizationId: string, templateId: string): Promise<WholeTemplate> => {
  if (findBuiltIn(templateId)) throw conflict(BUILT_IN)
  const head = await query.lockTemplate(tx, organizationId, templateId)
  if (!head) throw notFound()
  return requireTemplate(tx, organizationId, templateId)
}

/** The version that a change goes to: a published one is followed by the next draft. */
export const openDraft = async (
  tx: Transaction,
  { clock }: Pick<Writer, 'clock'>,
  organizationId: string,
  { head, version }: WholeTemplate,
): Promise<number> => {
  if (head.state === 'draft') return head.version
  const number = head.version + 1
  const { settings, sections, typst, docx, logo, fonts } = version
  await query.insertVersion(tx, {
    organization_id: organizationId,
    template_id: head.id,
    version: number,
    ...jsonColumns({ settings, sections, typst, docx, logo, fonts }),
    created_at: isoTime(clock.now()),
  })
  await query.updateTemplate(tx, organizationId, head.id, { version: number })
  return number
}

interface JsonColumns {
  settings?: TemplateSettingsValue
  sections?: VersionRow['sections']
  typst?: VersionRow['typst']
  docx?: StoredFile | null
  logo?: StoredFile | null
  fonts?: StoredFont[]
}

export const jsonColumns = (values: JsonColumns): Partial<Record<keyof JsonColumns, string | null>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? null : JSON.stringify(value)]),
  )

/** `updatedAt` grows with each change. */
export const nextTime = ({ clock }: Pick<Writer, 'clock'>, { updated_at: last }: query.HeadRow): string =>
  isoTime(Math.max(clock.now(), Date.parse(last) + 1))

const requireClient = async (tx: Transaction, organizationId: string, clientId: string | null): Promise<void> => {
  if (clientId !== null && !(await query.findIsClient(tx, organizationId, clientId)))
    throw invalid('clientId: must be a client that you can see')
}

export const record = async (
  tx: Transaction,
  { clock }: Pick<Writer, 'clock'>,
  actor: Actor,
  verb: 'created' | 'changed' | 'published' | 'deleted',
  id: string,
  values: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> => {
  await recordAudit(tx, actor, clock, {
    action: `report-template.${verb}`,
    object: { type: 'report-template', id },
    ...values,
  })
}
