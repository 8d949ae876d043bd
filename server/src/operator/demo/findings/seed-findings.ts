import { Readable } from 'node:stream'
import { createImport } from '../../../features/imports/imports.service.ts'
import { createResult, updateResult } from '../../../features/results/results.service.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { CONTOSO } from './contoso.ts'
import { FABRIKAM } from './fabrikam.ts'
import type { Finding } from './finding.ts'
import { IMPORTED, nucleiFile } from './imported.ts'
import { TAILSPIN } from './tailspin.ts'

const FINDINGS: Readonly<Record<string, readonly Finding[]>> = {
  Contoso: CONTOSO,
  Fabrikam: FABRIKAM,
  'Tailspin Toys': TAILSPIN,
}

/** Days between a finding and the decision about it. */
const DECIDED_AFTER = 2
/** Days before the start of the server. */
const IMPORTED_DAYS_AGO = 5

/** Vulnerabilities that people wrote and that nuclei reported, in an engagement with this client. */
export const seedFindings = async (
  daysAgo: (days: number) => Writer,
  people: readonly [Actor, Actor],
  engagementId: string,
  clientName: string | undefined,
): Promise<void> => {
  for (const [index, finding] of (FINDINGS[clientName ?? ''] ?? []).entries()) {
    const {
      title,
      asset,
      vector,
      cwe,
      description,
      solution,
      references = [],
      daysAgo: days,
      status,
      tags = [],
    } = finding
    const author = people[index % 2] as Actor
    const data = { cvssVector: `CVSS:3.1/${vector}`, cwe: [cwe], description, solution, references: [...references] }
    const { id } = await createResult(daysAgo(days), author, { engagementId, title, asset, data, tags: [...tags] })
    const later = daysAgo(Math.max(0.5, days - DECIDED_AFTER))
    const wanted = { assigneeId: author.id, ...(status && { status }) }
    await updateResult(later, author, id, wanted)
  }
  const imported = IMPORTED[clientName ?? '']
  if (!imported) return
  const then = daysAgo(IMPORTED_DAYS_AGO)
  const seenAt = isoTime(then.clock.now())
  const options = { fullRescan: false, outOfScope: 'mark' as const, covered: null, mapping: {}, seenAt }
  const wanted = { engagementId, fileName: 'nuclei.jsonl', format: 'auto', mode: 'apply' as const, options }
  await createImport(then, people[1], wanted, Readable.from([nucleiFile(imported, seenAt)], { objectMode: false }))
}
