import { DocxRefusal, openDocx } from '../docx/package/open-docx.ts'
import type { Parts } from '../docx/package/read-zip.ts'
import { FINDING_ALIASES, ROOT_ALIASES } from '../docx/scope/aliases.ts'
import { scopeOf } from '../docx/scope/scope.ts'
import { checkTags } from '../docx/template/check-tags.ts'
import type { TemplateProblem } from '../docx/template/problems.ts'
import { isTemplated } from '../docx/template/render.ts'
import { tagsIn } from '../docx/template/tags.ts'
import { BadTemplate, writeDocx } from '../docx/write-docx.ts'
import type { ReportDocument } from '../report-document.ts'
import { completeReport } from './difficult.ts'

export interface WordCheck {
  problems: TemplateProblem[]
  unusedFields: string[]
}

/** Fields of report-data that a report usually shows; a template without one of them may have forgotten it. */
const EXPECTED = [
  'report.title',
  'report.version',
  'report.dateText',
  'report.authors',
  'organization.name',
  'client.name',
  'engagement.name',
  'engagement.period',
  'team',
  'contacts',
  'sections',
  'design.classificationLabel',
  ...[
    'key',
    'title',
    'severity',
    'cvssScore',
    'cvssVector',
    'status',
    'cwe',
    'references',
    'summary',
    'description',
  ].map((name) => `findings.${name}`),
  ...['impact', 'reproduction', 'recommendation', 'evidence', 'affected', 'retest'].map((name) => `findings.${name}`),
]

/** Every problem of a Word template: first of its tags, then of its structure, with these reports. */
export const checkWord = (template: Uint8Array, documents: readonly ReportDocument[]): WordCheck => {
  const decoder = new TextDecoder()
  const sample = scopeOf(completeReport())
  const problems: TemplateProblem[] = []
  const used = new Set<string>()
  for (const [name, bytes] of openParts(template)) {
    if (!isTemplated(name)) continue
    const { tags, loose } = tagsIn(name, decoder.decode(bytes))
    const checked = checkTags(tags, loose, sample)
    problems.push(...checked.problems)
    for (const path of checked.used) used.add(path)
  }
  if (problems.length === 0) problems.push(...structureOf(template, documents))
  return { problems, unusedFields: unusedOf(used) }
}

const openParts = (template: Uint8Array): Parts => {
  try {
    return openDocx(template)
  } catch (error) {
    // The file was accepted when it was uploaded.
    if (error instanceof DocxRefusal) throw new Error('a stored Word template is refused', { cause: error })
    throw error
  }
}

const structureOf = (template: Uint8Array, documents: readonly ReportDocument[]): TemplateProblem[] => {
  const problems: TemplateProblem[] = []
  for (const document of documents) {
    try {
      writeDocx(document, template)
    } catch (error) {
      if (!(error instanceof BadTemplate)) throw error
      // The structure of a template is the same for every report.
      return [...error.problems]
    }
  }
  return problems
}

/** Other ways to show what a field shows. */
const EQUIVALENTS: Readonly<Record<string, string>> = {
  'findings.severityKey': 'findings.severity',
  'findings.severityColor': 'findings.severity',
  'findings.cvss.baseSeverity': 'findings.severity',
  'findings.cvss.baseMetricScore': 'findings.cvssScore',
  'findings.cvss.vectorString': 'findings.cvssVector',
  'findings.statusKey': 'findings.status',
  'findings.referenceLinks': 'findings.references',
  'engagement.startsOn': 'engagement.period',
  'report.date': 'report.dateText',
  'client.shortName': 'client.name',
  section: 'sections',
}

/** Names of other products count for the fields that they mean; whole sections show everything. */
const unusedOf = (used: ReadonlySet<string>): string[] => {
  const all = new Set<string>()
  for (const path of used) {
    const [first = '', ...rest] = path.split('.')
    const root = ROOT_ALIASES[first] ?? first
    const names = [...root.split('.'), ...rest]
    const field = names[0] === 'findings' ? names[1] : undefined
    if (field !== undefined) names.splice(1, 1, ...(FINDING_ALIASES[field] ?? field).split('.'))
    for (let length = 1; length <= names.length; length++) all.add(names.slice(0, length).join('.'))
  }
  for (const [other, path] of Object.entries(EQUIVALENTS)) if (all.has(other)) all.add(path)
  const showsSections = all.has('sections.blocks')
  return EXPECTED.filter((path) => {
    if (all.has(path)) return false
    return !(showsSections && ['findings.', 'team', 'contacts'].some((start) => path.startsWith(start)))
  })
}
