import type { Place } from '../../document/composer.ts'
import { fillable } from '../../document/placeholders.ts'
import type { ReportSource } from '../../document/read-source.ts'
import type { SpelledPlace } from './spelling.ts'

/** What people wrote for a report: not what fills itself, such as names, commands and the operation log. */
export const spelledTexts = (source: ReportSource): SpelledPlace[] => {
  const { report, sections, findings, affected, retestItems, files, template } = source
  const plain = (place: Place) => (text: string) => ({ text, place, isMarkdown: false, hasPlaceholders: false })
  const markdown = (place: Place, hasPlaceholders: boolean) => (text: string) => ({
    text,
    place,
    isMarkdown: true,
    hasPlaceholders,
  })
  const inReport: Place = { type: 'report', id: report.id, section: null }
  const inFinding = (id: string, section: string | null): Place => ({ type: 'finding', id, section })
  return [
    plain(inReport)(report.title),
    ...fillable(template.settings).map(markdown(inReport, true)),
    ...sections.flatMap(({ id, title, body }) => {
      const place: Place = { type: 'section', id, section: null }
      return [plain(place)(title), markdown(place, true)(body)]
    }),
    ...findings.flatMap((finding) => [
      plain(inFinding(finding.id, null))(finding.severity_reason),
      ...(['summary', 'description', 'impact', 'reproduction', 'recommendation'] as const).map((part) =>
        markdown(inFinding(finding.id, part), false)(finding[part]),
      ),
      ...Object.values(finding.fields)
        .filter((value) => typeof value === 'string')
        .map(plain(inFinding(finding.id, 'fields'))),
    ]),
    ...affected.map(({ finding_id: id, note }) => plain(inFinding(id, 'affected'))(note)),
    ...retestItems.map(({ finding_id: id, note }) => plain(inFinding(id, 'retest'))(note)),
    ...[...files.values()].map(({ owner_type: type, owner_id: id, caption }) =>
      plain(type === 'finding' ? inFinding(id, 'evidence') : inReport)(caption),
    ),
  ].filter(({ text }) => text !== '')
}
