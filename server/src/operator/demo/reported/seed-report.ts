import { createReport } from '../../../features/reports/create-report.service.ts'
import { listSections } from '../../../features/reports/sections/sections.queries.ts'
import { updateReportSection } from '../../../features/reports/sections/sections.service.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { createSectionTexts } from '../../../platform/text-merge/section-texts.ts'

/** Markdown of the section that a management reads. */
const SUMMARY = `{{client.name}} commissioned {{organization.name}} to test the security of its booking portal. The test took place between {{engagement.startsOn}} and {{engagement.endsOn}}, with an account of each role: guest, agent and administrator.

This report contains {{findings.total}} findings: {{findings.critical}} of critical severity, {{findings.high}} of high, {{findings.medium}} of medium and {{findings.low}} of low severity.

> [!IMPORTANT]
> An agent could use functions of an administrator. This gives every agency access to the bookings of all others, and should be corrected before the season begins.

What we found has two causes:

1. **Rights are checked in the browser.** The server trusts that the portal shows a function only to those who may use it. Each function needs a check of its own.
2. **Sessions and attempts have no limits.** A stolen session stays valid after a sign-out, and passwords can be guessed as often as one likes.

We recommend correcting the first cause in one place, where requests arrive, and the second one with the settings of the framework that the portal uses. A retest shows whether the corrections work.
`

/** A draft of the report of an engagement that is over, ready for its review. */
export const seedReport = async (
  daysAgo: (days: number) => Writer,
  [lead, mate]: readonly [Actor, Actor],
  engagementId: string,
): Promise<void> => {
  const { organizationId } = lead
  const report = await createReport(daysAgo(300), lead, {
    engagementId,
    title: 'Penetration test of the booking portal',
  })
  const sections = await listSections(daysAgo(0).db, organizationId, report.id)
  const summary = sections.find(({ key }) => key === 'management_summary')
  if (!summary) throw new Error('the standard template has a management summary')
  await updateReportSection(daysAgo(299), createSectionTexts(), mate, report.id, summary.id, {
    body: SUMMARY,
    baseRevision: summary.revision,
  })
}
