import * as contract from '@sortie/contract/findings/library.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { severityOf } from '../../../platform/lists/severities.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { findEntry, listLanguages } from '../../library/entries/entries.queries.ts'
import { localize } from '../../library/entries/localize.ts'
import { findFinding } from '../findings.queries.ts'
import { textsOf } from '../texts/save-texts.service.ts'

export const libraryDiffRoutes = (texts: SectionTexts): Route[] => [
  route(contract.getLibraryDiff, async ({ db, actor: { organizationId }, params, query }) => {
    const finding = await findFinding(db, organizationId, params.findingId)
    if (!finding || finding.library_entry_id === null) throw notFound()
    const entry = await findEntry(db, organizationId, finding.library_entry_id)
    if (!entry) throw notFound()
    const wanted = await listLanguages(db, organizationId, finding.engagement_id)
    const { language, text } = localize(entry, [...(query.language === undefined ? [] : [query.language]), ...wanted])
    return {
      data: {
        libraryEntryId: entry.id,
        usedVersion: finding.library_version ?? entry.version,
        currentVersion: entry.version,
        language,
        text,
        severity: severityOf(entry.severity),
        cvssVector: entry.cvss_vector,
        diff: await texts.compare(organizationId, textsOf(finding), textsOf(text)),
      },
    }
  }),
]
