import { engagementWithFindings } from '../support/findings.ts'
import { addProof, itemsOf, noteItem, planRetest, publishReviewed, test } from '../support/retests.ts'
import { expect } from '../support/server/sortie.ts'

const SCAN = [7, 8]
  .map((host) =>
    JSON.stringify({
      'template-id': 'deprecated-tls',
      info: { name: 'Deprecated TLS detection', severity: 'medium', description: 'TLS 1.0 is offered.' },
      type: 'ssl',
      host: `10.20.0.${host}:443`,
      'matched-at': `10.20.0.${host}:443`,
      timestamp: '2026-11-20T08:30:00Z',
    }),
  )
  .join('\n')

test('a finding’s whole life: scan file, suggestion, texts of the library, a reviewer’s suggestion, review, publication, retest with outcomes', async ({
  page,
  otherPage,
  sortie,
  shop,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const reviewer = await people.member(organization, 'member', 'Rae')
  const { id, path, ask, findings, read } = await engagementWithFindings(people, organization)
  const request = (
    await ask('POST', '/api-requests', { engagementId: id, name: 'Accepts TLS 1.0', url: `${shop.origin}/tls` })
  ).data
  await ask('POST', `/api-requests/${request.id}/execute`, {})
  await people.signIn(page, organization.owner, `${path}/imports`)
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'scan.jsonl', mimeType: 'application/octet-stream', buffer: Buffer.from(SCAN) })
  await expect
    .poll(async () =>
      (await ask('GET', `/finding-suggestions?engagementId=${id}`)).data.map(({ count }: { count: number }) => count),
    )
    .toEqual([2])

  await page.goto(`${path}/findings/suggestions`)
  await expect(page.getByRole('list', { name: 'Suggestions' }).getByRole('button')).toHaveCount(1)
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { name: 'Nothing to suggest' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Finding 1 created' })).toBeVisible()
  const [made] = await findings()
  const findingId = made?.id ?? ''
  expect(await read(findingId)).toMatchObject({
    title: 'Obsolete versions of SSL and TLS are supported',
    affectedCounts: { open: 2 },
  })

  await page.goto(`${path}/findings/${findingId}?view=edit`)
  await page.getByRole('textbox', { name: 'Impact' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Anyone near can read the traffic.')
  await page.keyboard.press('Control+s')
  await expect.poll(async () => (await read(findingId)).impact).toBe('Anyone near can read the traffic.')
  await page.getByRole('link', { name: 'Done' }).click()

  await people.signIn(otherPage, reviewer, `${path}/findings/${findingId}`)
  await otherPage.getByRole('region', { name: 'Impact' }).getByText('Anyone near can read the traffic.').selectText()
  await otherPage.keyboard.press('s')
  await otherPage.getByLabel('Replacement').fill('An attacker in the network can read the traffic.')
  await otherPage.keyboard.press('Control+Enter')
  await expect(page.getByRole('tab', { name: 'Comments 1' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(
    page.getByRole('complementary', { name: 'Comments' }).locator('article[aria-current="true"]'),
  ).toContainText('An attacker in the network')
  await page.keyboard.press('a')
  await expect(page.getByRole('region', { name: 'Impact' })).toContainText(
    'An attacker in the network can read the traffic.',
  )

  await addProof(page, 'Accepts TLS 1.0')
  await publishReviewed(page)
  await planRetest(page, 1, 'After the release')
  await expect(itemsOf(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible()
  shop.repair()
  await page.keyboard.press('r')
  await expect(page.getByText('Status 200 became 403. The body differs.')).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByText('1 of 2 tested')).toBeVisible()
  await page.keyboard.press('o')
  await noteItem(page, 'Still offers TLS 1.0.')
  await expect(page.getByText('2 of 2 tested')).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await page.getByRole('link', { name: /^1 Obsolete versions/ }).click()
  await expect(page.getByRole('group', { name: 'Review' })).toContainText('Partly fixed')
  expect(await read(findingId)).toMatchObject({ status: 'partly_fixed', affectedCounts: { open: 1, fixed: 1 } })
  expect((await ask('GET', `/retests?engagementId=${id}`)).data[0]).toMatchObject({
    state: 'done',
    counts: { fixed: 1, open: 1, none: 0 },
  })
})
