import type { AffectedAsset } from '@sortie/contract/findings/affected.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { notFound } from '../../../platform/errors.ts'
import { fieldCell } from '../../../platform/fields/field-values.ts'
import { csvLine } from '../../../platform/text/csv.ts'
import { listDefinitions } from '../../custom-fields/field-definitions.queries.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { listAffectedOf } from '../affected/affected.queries.ts'
import { listWholeFindings } from '../findings.queries.ts'
import { type ShownFinding, toAffected, toFinding } from '../show-findings.ts'
import { sarifResult, sarifRule } from './sarif.ts'

export type ExportFormat = 'csv' | 'json' | 'sarif' | 'jira-csv'
export type ExportedFinding = ShownFinding & { affected: Static<typeof AffectedAsset>[] }

/** A finding has up to 250 kB of text and 10,000 assets. */
const BATCH = 10
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

type Context = Pick<Writer, 'db'> & { actor: Actor }

/** The findings of an engagement, in their order, batch by batch. @throws ApiError NOT_FOUND */
export const exportFindings = async (
  { db, actor }: Context,
  engagementId: string,
  format: ExportFormat,
): Promise<AsyncIterable<string>> => {
  const { organizationId } = actor
  if (!(await findEngagement(db, organizationId, engagementId))) throw notFound()
  const fields = (await listDefinitions(db, organizationId, 'finding')).map(({ key }) => key)
  async function* findings(): AsyncGenerator<ExportedFinding> {
    for (let position = '', found = BATCH; found === BATCH;) {
      const rows = await listWholeFindings(db, organizationId, engagementId, position, BATCH)
      const ids = rows.map(({ id }) => id)
      const affected = await listAffectedOf(db, organizationId, ids)
      for (const row of rows)
        yield {
          ...toFinding(row),
          affected: affected.filter(({ finding_id }) => finding_id === row.id).map((asset) => toAffected(asset, actor)),
        }
      position = rows.at(-1)?.position ?? ''
      found = rows.length
    }
  }
  return FORMATS[format](findings, fields)
}

type Read = () => AsyncGenerator<ExportedFinding>

const FORMATS: Record<ExportFormat, (read: Read, fields: readonly string[]) => AsyncGenerator<string>> = {
  async *csv(read, fields) {
    yield BYTE_ORDER_MARK + csvLine([...COLUMNS, ...fields])
    for await (const finding of read())
      yield csvLine([...cellsOf(finding), ...fields.map((key) => fieldCell(finding.fields[key]))])
  },
  async *json(read) {
    yield '{"data":['
    let separator = ''
    for await (const finding of read()) {
      yield separator + JSON.stringify(finding)
      separator = ',\n'
    }
    yield ']}\n'
  },
  async *sarif(read) {
    // Rules come before results in the document, so the findings are read twice.
    yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"Sortie","rules":['
    let separator = ''
    for await (const finding of read()) {
      yield separator + JSON.stringify(sarifRule(finding))
      separator = ',\n'
    }
    yield ']}},"results":['
    separator = ''
    for await (const finding of read()) {
      yield separator + JSON.stringify(sarifResult(finding))
      separator = ',\n'
    }
    yield ']}]}\n'
  },
  async *'jira-csv'(read) {
    yield BYTE_ORDER_MARK + csvLine(['Summary', 'Description', 'Issue Type', 'Priority', 'Labels'])
    for await (const finding of read()) yield csvLine(issueOf(finding))
  },
}

const COLUMNS = [
  'number',
  'title',
  'severity',
  'cvss score',
  'cvss vector',
  'state',
  'status',
  'client status',
  'verification',
  'affected',
  'cwe',
  'cve',
  'owasp',
  'wstg',
  'attack',
  'tags',
  'author',
  'reviewer',
  'published at',
  'summary',
  'description',
  'impact',
  'reproduction',
  'recommendation',
  'references',
  'id',
]

const cellsOf = (finding: ExportedFinding): (string | null)[] => [
  String(finding.number),
  finding.title,
  finding.severity,
  finding.cvssScore === null ? null : String(finding.cvssScore),
  finding.cvssVector,
  finding.state,
  finding.status,
  finding.clientStatus?.state ?? null,
  finding.verification,
  finding.affected.map(({ asset, status }) => `${asset} (${status})`).join('\n'),
  finding.cwe.join(', '),
  finding.cve.join(', '),
  finding.owasp.join(', '),
  finding.wstg.join(', '),
  finding.attack.join(', '),
  finding.tags.join(', '),
  finding.author?.name ?? null,
  finding.reviewer?.name ?? null,
  finding.publishedAt,
  finding.summary,
  finding.description,
  finding.impact,
  finding.reproduction,
  finding.recommendation,
  finding.references.join('\n'),
  finding.id,
]

/** The names of Jira's default priorities. */
const PRIORITIES = { critical: 'Highest', high: 'High', medium: 'Medium', low: 'Low', info: 'Lowest' } as const

/** Labels of Jira have no spaces. */
const issueOf = (finding: ExportedFinding): string[] => [
  `${finding.number}: ${finding.title}`.slice(0, 255),
  sectionsOf(finding),
  'Bug',
  PRIORITIES[finding.severity],
  [...finding.cwe, ...finding.tags].map((label) => label.replaceAll(/\s+/g, '-')).join(' '),
]

const sectionsOf = ({
  summary,
  description,
  impact,
  reproduction,
  recommendation,
  affected,
  references,
}: ExportedFinding): string => {
  const assets = affected.map(({ asset }) => `- ${asset}`).join('\n')
  const parts = {
    Summary: summary,
    Description: description,
    Impact: impact,
    Reproduction: reproduction,
    Recommendation: recommendation,
    Affected: assets,
  }
  const named = Object.entries({ ...parts, References: references.join('\n') })
  return named.flatMap(([name, text]) => (text === '' ? [] : [`${name}\n\n${text}`])).join('\n\n')
}
