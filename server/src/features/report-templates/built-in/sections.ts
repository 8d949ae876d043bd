import type { LiveType } from '@sortie/contract/reports/report-data.ts'
import type { TemplateSectionValue } from '@sortie/contract/reports/report-templates.ts'

/** A section that people write; paragraphs, headings and lists in their order. */
export const text = (key: string, title: string, ...blocks: readonly string[]): TemplateSectionValue => ({
  key,
  title,
  body: blocks.join('\n\n'),
  live: null,
  hidden: false,
})

/** A section that is filled from the engagement. */
export const live = (key: string, title: string, type: LiveType): TemplateSectionValue => ({
  key,
  title,
  body: '',
  live: { type },
  hidden: false,
})

/** A live section that most reports leave out. */
export const hidden = (key: string, title: string, type: LiveType): TemplateSectionValue => ({
  ...live(key, title, type),
  hidden: true,
})
