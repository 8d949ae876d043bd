import { htmlToMarkdown } from './html-to-markdown.ts'
import { type ImportedEntry, keyFrom, linesIn, tagsFrom, vectorFrom } from './imported-entry.ts'

type Row = Readonly<Record<string, string | undefined>>

const SEVERITIES: Readonly<Record<string, string>> = {
  informational: 'info',
  info: 'info',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}

/** Findings of Ghostwriter: a row each, with the HTML of its editor. */
export const readGhostwriter = (rows: readonly Row[]): ImportedEntry[] =>
  rows.map((row) => {
    const text = (column: string) => htmlToMarkdown(row[column] ?? '')
    const title = (row['title'] ?? '').trim()
    const severity = SEVERITIES[(row['severity'] ?? '').trim().toLowerCase()]
    const detection = [
      ['Detection on hosts', text('host_detection_techniques')],
      ['Detection in the network', text('network_detection_techniques')],
    ].flatMap(([heading, body]) => (body ? [`## ${heading}\n\n${body}`] : []))
    return {
      key: keyFrom(title),
      cvssVector: vectorFrom(row['cvss_vector']),
      ...(severity !== undefined && { severity }),
      tags: tagsFrom(row['finding_type'], (row['tags'] ?? '').split(',')),
      guidance: [text('finding_guidance'), ...detection].filter(Boolean).join('\n\n'),
      mainLanguage: 'en',
      texts: {
        en: {
          title,
          description: text('description'),
          impact: text('impact'),
          reproduction: text('replication_steps'),
          recommendation: text('mitigation'),
          references: linesIn(text('references')),
        },
      },
    }
  })
