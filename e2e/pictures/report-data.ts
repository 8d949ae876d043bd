import type { APIRequestContext } from '@playwright/test'

/** What the pictures of reports show. */
export interface ReportPlaces {
  /** A draft with problems, after an edition. */
  reportId: string
  /** The edition that was delivered. */
  editionId: string
  /** A template of the organization, with code of its own. */
  templateId: string
}

const TITLE = 'Penetration test of the external perimeter'
const TEMPLATE = 'Northwind house style'
const HEADER = `#let page-header(data) = text(size: 8pt, fill: luma(90), data.report.title)
`
const SUMMARY = `{{client.name}} asked us to test what an attacker from the internet can reach and abuse, from {{engagement.startsOn}} to {{engagement.endsOn}}.

We found **{{findings.total}} weaknesses**, {{findings.critical}} of them critical. Together, three of them let an attacker without an account read the bookings of every guest.

> [!IMPORTANT]
> Replace the exposed keys first: this needs neither a release nor a maintenance window.

1. Replace the keys, and remove them from the public bucket.
2. Check the owner of a booking on every request.
3. Close the management interfaces to the internet.`
const CHANGED = `${SUMMARY}
4. TODO: agree on a date for the retest.`

/** Answers have the shape that the contract declares; only a few of their fields are used here. */
// oxlint-disable-next-line typescript/no-explicit-any -- parsed JSON
type Ask = (method: string, path: string, data?: object) => Promise<any>

interface Section {
  id: string
  revision: number
}

/** Attempts of a call while the server is overloaded. */
const ATTEMPTS = 30

const asker =
  (request: APIRequestContext, organizationId = ''): Ask =>
  async (method, path, data) => {
    for (let attempt = 1; ; attempt++) {
      const response = await request.fetch(`/api/web${path}`, {
        method,
        headers: organizationId === '' ? {} : { 'x-organization': organizationId },
        ...(data && { data }),
        timeout: 180_000,
      })
      if (response.ok()) return (await response.json()).data
      if (response.status() !== 503 || attempt === ATTEMPTS)
        throw new Error(`${method} ${path} was answered ${response.status()}: ${await response.text()}`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }

/**
 * Creates what the pictures of reports show, if the demonstration has it not yet: a delivered edition, the draft of the
 * next one, other reports, and a template.
 */
export const prepareReports = async (
  request: APIRequestContext,
  slug: string,
  engagementId: string,
): Promise<ReportPlaces> => {
  const organizations: { id: string; slug: string }[] = await asker(request)('GET', '/organizations')
  const ask = asker(request, organizations.find((organization) => organization.slug === slug)?.id)
  const templates: { id: string; name: string }[] = await ask('GET', '/report-templates?perPage=100')
  const reports: { id: string; title: string; latestEdition: number | null }[] = await ask(
    'GET',
    `/reports?engagementId=${engagementId}`,
  )
  const delivered = reports.find(({ title, latestEdition }) => title === TITLE && latestEdition !== null)
  const reportId = delivered?.id ?? (await createReports(ask, engagementId))
  return {
    reportId,
    editionId: (await ask('GET', `/reports/${reportId}/editions`))[0].id,
    templateId: templates.find(({ name }) => name === TEMPLATE)?.id ?? (await createTemplate(ask)),
  }
}

const createTemplate = async (ask: Ask): Promise<string> => {
  const { id } = await ask('POST', '/report-templates', {
    name: TEMPLATE,
    description: 'For penetration tests, in English and German.',
  })
  await ask('PATCH', `/report-templates/${id}`, { typst: { 'page-header.typ': HEADER } })
  return id
}

/** @returns the id of the report that is delivered, and continues as a draft */
const createReports = async (ask: Ask, engagementId: string): Promise<string> => {
  await ask('PATCH', '/report-settings', { fourEyes: false })
  await ask('POST', '/reports', { engagementId, title: 'Confirmation for the auditor', kind: 'attestation' })
  const interim = await ask('POST', '/reports', { engagementId, title: 'First results', kind: 'interim' })
  await ask('PATCH', `/reports/${interim.id}`, { state: 'in_review' })
  const { id } = await ask('POST', '/reports', { engagementId, title: TITLE })
  const approved: { id: string }[] = await ask(
    'GET',
    `/findings?engagementId=${engagementId}&state=approved&perPage=100`,
  )
  await ask('PATCH', `/reports/${id}`, { findingFilter: { ids: approved.map((finding) => finding.id) } })
  await write(ask, id, SUMMARY)
  for (const { code, level, where, waived } of await ask('GET', `/reports/${id}/checks`))
    if (level === 'error' && waived === null)
      await ask('POST', `/reports/${id}/checks/waive`, { code, where, reason: 'Agreed with the client.' })
  for (const state of ['in_review', 'approved']) await ask('PATCH', `/reports/${id}`, { state })
  await ask('POST', `/reports/${id}/deliver`, {
    formats: ['pdf', 'docx', 'html'],
    note: 'First version for the client',
  })
  await ask('PATCH', `/reports/${id}`, { findingFilter: {} })
  await write(ask, id, CHANGED)
  return id
}

/** Writes the first text of a report. */
const write = async (ask: Ask, reportId: string, body: string): Promise<void> => {
  const { sections }: { sections: (Section & { kind: string })[] } = await ask('GET', `/reports/${reportId}`)
  const section = sections.find(({ kind }) => kind === 'text')
  if (section)
    await ask('PATCH', `/reports/${reportId}/sections/${section.id}`, { body, baseRevision: section.revision })
}
