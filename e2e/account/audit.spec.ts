import { expect, test } from '../support/server/sortie.ts'

test('each line of the audit log names its object and the change, also after the object is deleted', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const as = (method: string, path: string, body?: unknown) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const { id } = (await as('POST', '/engagements', { name: 'Contoso perimeter' })).body.data
  await as('PATCH', `/engagements/${id}`, { status: 'completed' })
  await as('PATCH', `/engagements/${id}`, { name: 'Contoso external' })
  const key = (await as('POST', '/api-keys', { name: 'ci-pipeline', environment: 'live', scopes: ['tasks:read'] })).body
    .data
  await as('DELETE', `/api-keys/${key.id}`)
  const { data } = (await as('GET', '/organizations/current/members?role=member')).body
  await as('PATCH', `/organizations/current/members/${data[0].id}`, { role: 'admin' })
  await as('DELETE', `/organizations/current/members/${data[0].id}`)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/audit`)
  const row = (action: string) => page.getByRole('row').filter({ hasText: action })
  await expect(row('Member removed')).toContainText(member.name)
  await expect(row('Member role changed')).toContainText(`${member.name}, member → admin`)
  await expect(row('API key deleted')).toContainText('ci-pipeline')
  await expect(row('Engagement changed').first()).toContainText('Contoso perimeter → Contoso external')
  await expect(row('Engagement changed').last()).toContainText('Contoso external, active → completed')
  await expect(row('Invitation accepted')).toContainText(member.email)
})
