import { engagementWithFindings } from '../support/findings.ts'
import { expect, test } from '../support/server/sortie.ts'

/** A finding of nuclei for a host. */
const reported = (host: string) => ({
  'template-id': 'deprecated-tls',
  info: { name: 'Deprecated TLS Detection', severity: 'info' },
  type: 'ssl',
  host,
  'matched-at': `${host}:443`,
  'matcher-status': true,
  timestamp: '2026-11-20T10:00:00Z',
})

test('an accepted suggestion gets the texts of the library entry that names its rule, and all its assets', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, ask, findings, read } = await engagementWithFindings(people, organization)
  for (const host of ['a.contoso.example', 'b.contoso.example'])
    await ask('POST', `/imports?engagementId=${id}&fileName=nuclei-${host}.json&wait=10`, reported(host))
  const suggested = async () =>
    (await ask('GET', `/finding-suggestions?engagementId=${id}`)).data as {
      title: string
      count: number
      libraryEntryId: string | null
    }[]
  await expect.poll(async () => (await suggested())[0]?.count).toBe(2)
  const [suggestion] = await suggested()
  expect(suggestion?.libraryEntryId).toMatch(/^lib_/)

  await people.signIn(page, organization.owner, `${path}/findings/suggestions`)
  await expect(page.getByRole('region', { name: suggestion?.title ?? '' })).toContainText(
    'A library entry names their rule.',
  )
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { name: 'Nothing to suggest' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Finding 1 created' })).toBeVisible()
  const [finding] = await findings()
  const created = await read(finding?.id ?? '')
  expect(created.title).toBe(suggestion?.title)
  expect(created.recommendation).not.toBe('')
  expect((await ask('GET', `/findings/${created.id}/affected`)).data).toHaveLength(2)
})
