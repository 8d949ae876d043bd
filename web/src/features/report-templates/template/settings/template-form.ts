import { CLASSIFICATIONS, FINDING_PARTS, type FindingPart, PAPERS } from '@sortie/contract/reports/report-data.ts'
import type { TemplateSettingsValue } from '@sortie/contract/reports/report-templates.ts'
import type { Template } from '../../template-words.tsx'

/** A choice that is left to the product. */
export const DEFAULT = 'default'

export const PAPER_LABELS: Record<(typeof PAPERS)[number], string> = { a4: 'A4', letter: 'Letter' }

export const CLASSIFICATION_LABELS: Record<(typeof CLASSIFICATIONS)[number], string> = {
  none: 'None',
  'tlp-clear': 'TLP:CLEAR',
  'tlp-green': 'TLP:GREEN',
  'tlp-amber': 'TLP:AMBER',
  'tlp-amber-strict': 'TLP:AMBER+STRICT',
  'tlp-red': 'TLP:RED',
}

export const PART_LABELS: Record<FindingPart, string> = {
  facts: 'Facts',
  summary: 'Summary',
  description: 'Description',
  affected: 'Affected assets',
  impact: 'Impact',
  reproduction: 'Reproduction',
  evidence: 'Evidence',
  recommendation: 'Recommendation',
  references: 'References',
  retest: 'Retest',
}

/** A word of the report in a language. */
export interface LabelLine {
  language: string
  key: string
  text: string
}

const KNOWN_PARTS: readonly string[] = FINDING_PARTS

/** The settings of a template as a form shows them: an empty text is the default. */
export const savedOf = ({ name, description, clientId, settings, updatedAt }: Template) => ({
  values: {
    name,
    description,
    clientId: clientId ?? DEFAULT,
    paper: settings.paper ?? DEFAULT,
    accent: settings.accent ?? '',
    bodyFont: settings.fonts?.body ?? '',
    headingFont: settings.fonts?.heading ?? '',
    codeFont: settings.fonts?.code ?? '',
    header: settings.header ?? '',
    footer: settings.footer ?? '',
    coverTitle: settings.cover?.title ?? '',
    coverSubtitle: settings.cover?.subtitle ?? '',
    coverNote: settings.cover?.note ?? '',
    classification: settings.classification ?? DEFAULT,
    severityNames: { ...settings.severityNames } as Record<string, string>,
    severityColors: { ...settings.severityColors } as Record<string, string>,
    labels: Object.entries(settings.labels ?? {}).flatMap(([language, words]) =>
      Object.entries(words).map(([key, text]): LabelLine => ({ language, key, text })),
    ),
    findingParts: [...(settings.findingParts ?? FINDING_PARTS)] as string[],
    findingOrder: settings.findingOrder ?? 'severity',
    groupBySeverity: settings.groupBySeverity ?? false,
    tableOfContents: settings.tableOfContents ?? true,
    fileNamePattern: settings.fileNamePattern ?? '',
  },
  version: updatedAt,
})

export type TemplateFormValues = ReturnType<typeof savedOf>['values']

/** Without what is empty. */
const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))

/** The names of the fonts that the product brings. */
export const FONTS = { body: 'Inter', heading: 'Inter', code: 'JetBrains Mono' } as const

/** The settings that a form describes. What equals the default is left out, where a default is known. */
export const settingsOf = (values: TemplateFormValues, before: TemplateSettingsValue): TemplateSettingsValue => {
  const { paper, classification, accent, header, footer, fileNamePattern } = values
  const hasFonts = values.bodyFont || values.headingFont || values.codeFont
  const hasCover = values.coverTitle || values.coverSubtitle || values.coverNote
  const names = filled(values.severityNames)
  const colors = filled(values.severityColors)
  const labels = labelsOf(values.labels)
  const isUsualOrder = values.findingParts.join() === FINDING_PARTS.join() && before.findingParts === undefined
  return {
    ...(paper !== DEFAULT && { paper: paper as (typeof PAPERS)[number] }),
    ...(classification !== DEFAULT && { classification: classification as (typeof CLASSIFICATIONS)[number] }),
    ...(accent && { accent: accent.toLowerCase() }),
    ...(hasFonts && {
      fonts: {
        body: values.bodyFont || FONTS.body,
        heading: values.headingFont || FONTS.heading,
        code: values.codeFont || FONTS.code,
      },
    }),
    ...(header && { header }),
    ...(footer && { footer }),
    ...(hasCover && {
      cover: { title: values.coverTitle, subtitle: values.coverSubtitle, note: values.coverNote },
    }),
    ...(Object.keys(names).length > 0 && { severityNames: names }),
    ...(Object.keys(colors).length > 0 && { severityColors: colors }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(!isUsualOrder && { findingParts: values.findingParts.filter(isPart) }),
    findingOrder: values.findingOrder,
    groupBySeverity: values.groupBySeverity,
    tableOfContents: values.tableOfContents,
    ...(fileNamePattern.trim() && { fileNamePattern: fileNamePattern.trim() }),
  }
}

export const isPart = (part: string): part is FindingPart => KNOWN_PARTS.includes(part)

const labelsOf = (lines: readonly LabelLine[]): Record<string, Record<string, string>> => {
  const labels: Record<string, Record<string, string>> = {}
  for (const { language, key, text } of lines) {
    if (!language.trim() || !key.trim() || !text.trim()) continue
    labels[language.trim()] = { ...labels[language.trim()], [key.trim()]: text.trim() }
  }
  return labels
}
