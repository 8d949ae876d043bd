import type { TemplateSectionValue, TemplateSettingsValue } from '@sortie/contract/reports/report-templates.ts'

/** A file of a template: a Word template, a logo, a font. */
export interface TemplateFile {
  fileName: string
  sha256: string
  bytes: Uint8Array
}

/** One version of a template with everything that a render needs; published versions never change. */
export interface TemplateVersion {
  id: string
  version: number
  name: string
  builtIn: boolean
  settings: TemplateSettingsValue
  /** Sections by language. */
  sections: Record<string, TemplateSectionValue[]>
  /** Typst sources by file name: replacements of single functions. */
  typst: Record<string, string>
  docx: TemplateFile | null
  logo: TemplateFile | null
  fonts: (TemplateFile & { family: string })[]
}
