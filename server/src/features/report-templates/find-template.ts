import type { REPORT_KINDS } from '@sortie/contract/reports/report-data.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { internalError } from '../../platform/errors.ts'
import type { Storage } from '../../platform/files/storage.ts'
import { builtInFor, findBuiltIn } from './built-in/index.ts'
import {
  findDefaultTemplateId,
  findVersion,
  holdUsable,
  type StoredFile,
  type VersionRow,
} from './find-template.queries.ts'
import type { TemplateFile, TemplateVersion } from './template-version.ts'

/** A template version without the bytes of its files: enough to create a report. */
export type TemplateChoice = Omit<TemplateVersion, 'docx' | 'logo' | 'fonts'>

interface Wanted {
  templateId?: string | undefined
  /** Of the engagement. */
  clientId: string | null
  kind: (typeof REPORT_KINDS)[number]
}

/**
 * The template of a new report: the wanted one in its published version; without one the default of the organization,
 * else the built-in one for the kind. Holds its row, so that it is not deleted before the transaction ends.
 *
 * @returns undefined if the wanted one is unknown, not published, or of another client
 */
export const findTemplate = async (
  db: Database,
  organizationId: string,
  { templateId, clientId, kind }: Wanted,
): Promise<TemplateChoice | undefined> => {
  if (templateId !== undefined) return findUsable(db, organizationId, templateId, clientId)
  const defaultId = await findDefaultTemplateId(db, organizationId)
  const usual = defaultId === null ? undefined : await findUsable(db, organizationId, defaultId, clientId)
  return usual ?? withoutFiles(builtInFor(kind))
}

const findUsable = async (
  db: Database,
  organizationId: string,
  templateId: string,
  clientId: string | null,
): Promise<TemplateChoice | undefined> => {
  const builtIn = findBuiltIn(templateId)
  if (builtIn) return withoutFiles(builtIn)
  const version = await holdUsable(db, organizationId, templateId, clientId)
  if (version === undefined) return undefined
  const row = await findVersion(db, organizationId, templateId, version)
  return row && choiceOf(row)
}

/**
 * One version of a template with its files, for a render. It does not ask who sees the template: a report that uses it
 * is shown whole to everyone who sees the report.
 *
 * @returns undefined if there is no such version
 */
export const getTemplateVersion = async (
  { db, storage }: { db: Database; storage: Storage },
  organizationId: string,
  templateId: string,
  version: number,
): Promise<TemplateVersion | undefined> => {
  const builtIn = findBuiltIn(templateId)
  if (builtIn) return builtIn.version === version ? builtIn : undefined
  const row = await findVersion(db, organizationId, templateId, version)
  if (!row) return undefined
  const read = (file: StoredFile) => readTemplateFile(storage, organizationId, file)
  return {
    ...choiceOf(row),
    docx: row.docx && (await read(row.docx)),
    logo: row.logo && (await read(row.logo)),
    fonts: await Promise.all(row.fonts.map(async (font) => ({ ...(await read(font)), family: font.family }))),
  }
}

const readTemplateFile = async (
  storage: Storage,
  organizationId: string,
  { fileId, fileName, sha256 }: StoredFile,
): Promise<TemplateFile> => {
  const file = await storage.open({ organizationId, fileId }, sha256)
  if (!file) throw internalError(new Error(`the file of ${fileId} is not in ${storage.name}`))
  try {
    return { fileName, sha256, bytes: new Uint8Array(await file.readFile()) }
  } finally {
    await file.close()
  }
}

/** The sections of a template in a language, in a related one, in English, or in its first language. */
export const sectionsIn = ({ sections }: Pick<TemplateVersion, 'sections'>, language: string) => {
  const base = language.split('-')[0] as string
  const found = [language, base, 'en', ...Object.keys(sections)].find((tag) => Object.hasOwn(sections, tag))
  return found === undefined ? [] : (sections[found] ?? [])
}

const choiceOf = ({ template_id, version, name, settings, sections, typst }: VersionRow): TemplateChoice => ({
  id: template_id,
  version,
  name,
  builtIn: false,
  settings,
  sections,
  typst,
})

const withoutFiles = ({ id, version, name, builtIn, settings, sections, typst }: TemplateVersion): TemplateChoice => ({
  id,
  version,
  name,
  builtIn,
  settings,
  sections,
  typst,
})

/** Reports whether reports of every client can use a template. */
export const findIsForAll = async (db: Database, organizationId: string, templateId: string): Promise<boolean> =>
  (await findUsable(db, organizationId, templateId, null)) !== undefined
