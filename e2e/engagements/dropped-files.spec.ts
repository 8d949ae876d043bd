import type { Page } from '@playwright/test'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

const transferOf = (page: Page, name: string, type: string, text: string, lastModified = Date.now()) =>
  page.evaluateHandle(
    ([fileName, mediaType, content, changedAt]) => {
      const data = new DataTransfer()
      data.items.add(new File([content], fileName, { type: mediaType, lastModified: changedAt }))
      return data
    },
    [name, type, text, lastModified] as const,
  )

test('the address of a result or an import leads to it, and so do links between results; evidence is dropped and pasted; a file dropped anywhere is imported', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (method: string, path: string, body?: unknown) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const { id } = (await as('POST', '/engagements', { name: 'Contoso' })).body.data
  const result = (
    await as('POST', '/results', { engagementId: id, title: 'Weak cipher', asset: '10.0.0.7:443/tcp', severity: 'low' })
  ).body.data
  const target = (await as('POST', '/targets', { engagementId: id, value: '10.0.0.7' })).body.data
  const gathering = {
    engagementId: id,
    title: 'All ciphers',
    targetId: target.id,
    severity: 'low',
    includes: [result.id],
    retestOf: result.id,
  }
  const gathered = (await as('POST', '/results', gathering)).body.data
  const base = `/o/${organization.slug}`
  await people.signIn(page, organization.owner, `${base}/results/${result.id}`)
  const peek = page.getByRole('complementary', { name: 'Preview' })
  await expect(peek.getByRole('heading', { name: 'Weak cipher' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(`${base}/engagements/${id}/results`)
  await visit(page, `${base}/results/${result.id.replace(/.$/, result.id.endsWith('0') ? '1' : '0')}`)
  await expect(page.getByRole('heading', { name: /not found|There is nothing/i })).toBeVisible()

  await visit(page, `${base}/results/${gathered.id}`)
  await expect(peek.getByRole('link', { name: 'Weak cipher' })).toHaveCount(2)
  await expect(peek.getByRole('link', { name: '10.0.0.7', exact: true })).toHaveAttribute(
    'href',
    `${base}/targets/${target.id}`,
  )
  await peek.getByRole('link', { name: 'Weak cipher' }).first().click()
  await expect(peek.getByRole('heading', { name: 'Weak cipher' })).toBeVisible()
  const evidence = peek.getByRole('region', { name: 'Evidence' })
  await expect(evidence).toContainText('Drop some here')
  const capture = await transferOf(page, 'capture.txt', 'text/plain', 'bytes')
  await peek.dispatchEvent('dragover', { dataTransfer: capture })
  await expect(evidence).toHaveAttribute('data-over')
  await peek.dispatchEvent('drop', { dataTransfer: capture })
  await expect(evidence.getByRole('link', { name: 'capture.txt' })).toBeVisible()
  const pictureOf = () => transferOf(page, 'image.png', 'image/png', 'no picture at all')
  await page.locator('body').evaluate(
    (element, data) => {
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    },
    await pictureOf(),
  )
  await expect(evidence.getByRole('link', { name: /^pasted-\d{8}T\d{6}\.png$/ })).toBeVisible()
  await evidence.getByRole('button', { name: 'Delete capture.txt' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await expect(evidence.getByRole('link', { name: 'capture.txt' })).toHaveCount(0)
  expect(page.url()).toContain('/results?peek=')

  await visit(page, `${base}/engagements/${id}/tasks`)
  await expect(page.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  await page.locator('body').dispatchEvent('drop', { dataTransfer: await pictureOf() })
  await expect(page.getByText('An image is not scanner output')).toBeVisible()
  const scan = await transferOf(
    page,
    'ports.json',
    'application/json',
    '{"ip": "192.0.2.10", "port": 443, "protocol": "tcp"}',
  )
  await page.locator('body').dispatchEvent('dragover', { dataTransfer: scan })
  await expect(page.getByText('Drop to import into Contoso')).toBeVisible()
  await page.locator('body').dispatchEvent('drop', { dataTransfer: scan })
  await expect(page.getByRole('heading', { level: 1, name: 'Imports' })).toBeVisible()
  await expect(peek).toContainText('ports.json')
  const imported = (await as('GET', `/imports?engagementId=${id}`)).body.data[0]
  await visit(page, `${base}/imports/${imported.id}`)
  await expect(peek).toContainText('ports.json')

  for (const status of ['completed', 'archived']) await as('PATCH', `/engagements/${id}`, { status })
  await page.goto(`${base}/engagements/${id}/tasks`)
  await expect(
    page
      .getByText('Contoso is archived')
      .or(page.getByText(/archived/).first())
      .first(),
  ).toBeVisible()
  await page
    .locator('body')
    .dispatchEvent('dragover', { dataTransfer: await transferOf(page, 'ports.json', 'application/json', '{}') })
  await expect(page.getByText('Drop to import into Contoso')).toHaveCount(0)
})

nightly(
  'an older file needs a time of sighting: its own is proposed, anywhere in the engagement and on the imports, by keyboard',
  async ({ page, sortie: { people } }) => {
    const { owner, id, slug } = await people.organization()
    const engagementId = (await people.call(owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, id)).body.data
      .id
    const began = Date.now()
    const written = Date.parse('2026-11-02T08:00:00.000Z')
    const drop = async (ip: string) => {
      const data = await transferOf(
        page,
        `${ip}.json`,
        'application/json',
        JSON.stringify({ ip, port: 443, protocol: 'tcp' }),
        written,
      )
      await page.locator('body').dispatchEvent('drop', { dataTransfer: data })
    }
    const dialog = page.getByRole('dialog', { name: 'When was this seen?' })
    const peek = page.getByRole('complementary', { name: 'Preview' })
    await people.signIn(page, owner, `/o/${slug}/engagements/${engagementId}/tasks`)
    await expect(page.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
    await drop('192.0.2.10')
    await expect(dialog).toContainText('192.0.2.10.json is an older file.')
    await expect(
      dialog.getByRole('radio', {
        name: /^When the scan ran, if the file states it; otherwise when the file was written: 2 Nov 2026/,
      }),
    ).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await drop('192.0.2.10')
    await dialog.getByRole('radio', { checked: true }).press('Enter')
    await expect(peek).toContainText('192.0.2.10.json')
    await drop('192.0.2.11')
    await dialog.getByRole('radio', { checked: true }).press('ArrowDown')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect(peek).toContainText('192.0.2.11.json')
    const seen = async () => {
      const { data } = (await people.call(owner, 'GET', `/api/web/imports?engagementId=${engagementId}`, undefined, id))
        .body
      return data.map(({ fileName, seenAt }: Record<string, string>) => [
        fileName,
        Date.parse(seenAt ?? '') >= began ? 'now' : seenAt,
      ])
    }
    await expect.poll(seen).toEqual([
      ['192.0.2.11.json', 'now'],
      ['192.0.2.10.json', '2026-11-02T08:00:00.000Z'],
    ])
  },
)
