import type { People, TestOrganization } from './server/people.ts'
import { expect } from './server/sortie.ts'

/** Fields of a finding that tests read. */
export interface TestFinding {
  id: string
  number: number
  title: string
  severity: string
  state: string
  status: string
  revision: number
  author: { name: string } | null
  reviewer: { name: string } | null
  summary: string
  description: string
  impact: string
  reproduction: string
  recommendation: string
  publishedAt: string | null
}

/** An engagement of an organization, and calls of its owner. */
export const engagementWithFindings = async (
  people: People,
  organization: TestOrganization,
  titles: readonly string[] = [],
) => {
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const { id } = (await ask('POST', '/engagements', { name: 'Contoso' })).data as { id: string }
  const add = async (body: object): Promise<TestFinding> =>
    (await ask('POST', '/findings', { engagementId: id, ...body })).data
  for (const title of titles) await add({ title })
  return {
    id,
    path: `/o/${organization.slug}/engagements/${id}`,
    ask,
    add,
    read: async (findingId: string): Promise<TestFinding> => (await ask('GET', `/findings/${findingId}`)).data,
    findings: async (): Promise<TestFinding[]> =>
      (await ask('GET', `/findings?engagementId=${id}&sort=number&order=asc`)).data,
  }
}
