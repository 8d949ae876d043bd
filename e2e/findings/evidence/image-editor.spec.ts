import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { engagementWithFindings } from '../../support/findings.ts'
import { expectAccessible, findingsInBothThemes } from '../../support/pages/accessible.ts'
import { expect, test } from '../../support/server/sortie.ts'

/** Makes a PNG in the page, with a box of words in red at 40, 30 that is 120 by 40 pixels. */
const screenshot = (page: Page): Promise<Buffer> =>
  page
    .evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 200
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.fillStyle = '#f4f4f6'
      context.fillRect(0, 0, 320, 200)
      context.fillStyle = '#ff2222'
      context.fillRect(40, 30, 120, 40)
      const blob = (await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))) as Blob
      return [...new Uint8Array(await blob.arrayBuffer())]
    })
    .then((bytes) => Buffer.from(bytes))

/** 12,000 by 6,000 black pixels of one bit. */
const largePng = (): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(12_000, 0)
  header.writeUInt32BE(6_000, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc((1 + 12_000 / 8) * 6_000))
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Size of a picture, and its colours at some places. */
const pixelsOf = (page: Page, picture: Buffer, places: [x: number, y: number][]) =>
  page.evaluate(
    async ([bytes, points]) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
      const canvas = document.createElement('canvas')
      canvas.width = bitmap.width
      canvas.height = bitmap.height
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.drawImage(bitmap, 0, 0)
      return {
        size: [bitmap.width, bitmap.height],
        colours: points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.subarray(0, 3)].join()),
      }
    },
    [[...picture], places] as const,
  )

/** What the page itself gets from an address. */
const bytesAt = async (page: Page, address: string): Promise<Buffer> =>
  Buffer.from(
    await page.evaluate(async (url) => {
      const answer = await fetch(url)
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
      return [...new Uint8Array(await answer.arrayBuffer())]
    }, address),
  )

const pixelsAt = async (page: Page, address: string, places: [x: number, y: number][]) =>
  pixelsOf(page, await bytesAt(page, address), places)

interface StoredFile {
  id: string
  fileName: string
  sealed: boolean
  redactedBy: string | null
}

const newFinding = async (page: Page, sortie: { people: Parameters<typeof engagementWithFindings>[0] }) => {
  const { people } = sortie
  const organization = await people.organization()
  const contents = await engagementWithFindings(people, organization)
  const finding = await contents.add({ title: 'Orders leak' })
  await people.signIn(page, organization.owner, `${contents.path}/findings/${finding.id}`)
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await evidence
    .locator('input[type="file"]')
    .setInputFiles({ name: 'login.png', mimeType: 'image/png', buffer: await screenshot(page) })
  await evidence.getByRole('button', { name: 'Edit login.png' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit login.png' })
  const canvas = dialog.getByRole('application')
  await expect(canvas).toBeVisible()
  const files = async (): Promise<StoredFile[]> => (await contents.ask('GET', `/findings/${finding.id}/files`)).data
  const address = (id: string, query = '') =>
    `/api/web/findings/${finding.id}/files/${id}?organization=${organization.id}${query}`
  return { ...contents, organizationId: organization.id, finding, evidence, dialog, canvas, files, address }
}

/** Long enough for a mark to reach the edge of the picture. */
const hold = async (page: Page, key: string): Promise<void> => {
  for (let times = 0; times < 120; times++) await page.keyboard.down(key)
  await page.keyboard.up(key)
}

test('a part of a picture is redacted with the mouse: the finding and the report show the new picture, and the original is sealed', async ({
  page,
  sortie,
}) => {
  const { id, ask, organizationId, finding, evidence, dialog, canvas, files, address } = await newFinding(page, sortie)
  const [original] = await files()
  await ask('PATCH', `/findings/${finding.id}`, { description: `![Login](${original?.id})`, baseRevision: 1 })
  const report = (await ask('POST', '/reports', { engagementId: id, title: 'Report' })).data as { id: string }
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible(page)

  const box = (await canvas.boundingBox()) as { x: number; y: number; width: number; height: number }
  const at = (x: number, y: number): [number, number] => [box.x + (x * box.width) / 320, box.y + (y * box.height) / 200]
  await page.mouse.move(...at(36, 26))
  await page.mouse.down()
  await page.mouse.move(...at(100, 50))
  await page.mouse.move(...at(164, 74))
  await page.mouse.up()
  await expect(dialog.getByRole('button', { name: /^Redaction, 12\d × 4\d at 3\d, 2\d$/ })).toBeVisible()
  await expect(dialog).toContainText('The original is sealed')
  expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] })
  await dialog.getByRole('button', { name: 'Save and seal the original' }).click()
  await expect(dialog).toBeHidden()
  await expect(evidence.getByRole('list', { name: 'Pieces of evidence' })).toBeFocused()

  const [shown] = (await files()).filter(({ sealed }) => !sealed)
  expect(await files()).toHaveLength(2)
  expect((await files()).find(({ sealed }) => sealed)).toMatchObject({ id: original?.id, redactedBy: shown?.id })
  const black = { size: [320, 200], colours: ['0,0,0', '0,0,0', '244,244,246'] }
  const places: [number, number][] = [
    [42, 32],
    [158, 68],
    [200, 100],
  ]
  for (const fileId of [shown?.id, original?.id] as string[])
    expect(await pixelsAt(page, address(fileId), places)).toEqual(black)
  expect((await pixelsAt(page, address(original?.id as string, '&original=true'), places)).colours[0]).toBe('255,34,34')
  const text = page.getByRole('figure', { name: 'Login' }).getByRole('img')
  await expect(text).toHaveAttribute('src', new RegExp(shown?.id as string))
  await evidence.getByText('Sealed originals (1)').click()
  await expect(evidence.getByRole('list', { name: 'Sealed originals' }).getByRole('link')).toHaveText(['login.png'])
  await expectAccessible(page)

  const html = (await bytesAt(page, `/api/web/reports/${report.id}/html?organization=${organizationId}`)).toString()
  const picture = /<figure[^>]*><img src="data:[^,]+,([^"]+)"/.exec(html)?.[1] ?? ''
  expect(html.split('<figure')).toHaveLength(2)
  expect(await pixelsOf(page, Buffer.from(picture, 'base64'), places)).toEqual(black)

  await evidence.getByRole('button', { name: 'Delete the original of login.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click()
  await expect(evidence.getByText('Sealed originals')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('figure', { name: 'Login' }).getByRole('img')).toHaveJSProperty('naturalWidth', 320)
})

test('a picture is redacted, cropped and marked with the keyboard', async ({ page, sortie }) => {
  const { dialog, canvas, files, address } = await newFinding(page, sortie)
  await expect(canvas).toBeFocused()
  const marks = dialog.getByRole('list').getByRole('button')
  await page.keyboard.press('r')
  await page.keyboard.press('Enter')
  await expect(marks).toHaveText(['Redaction, 80 × 25 at 120, 88'])
  for (let steps = 0; steps < 5; steps++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(marks).toHaveText(['Redaction, 80 × 26 at 115, 88'])
  for (const key of ['ArrowLeft', 'ArrowUp']) await hold(page, key)
  await expect(marks).toHaveText(['Redaction, 80 × 26 at 0, 0'])
  await page.keyboard.down('Shift')
  for (const key of ['ArrowRight', 'ArrowDown']) await hold(page, key)
  await page.keyboard.up('Shift')
  await expect(marks).toHaveText(['Redaction, 320 × 200 at 0, 0'])
  await expect(dialog.getByRole('status')).toHaveText('Selected: Redaction, 320 × 200 at 0, 0')
  await page.keyboard.press('Control+z')
  await expect(marks).toHaveText(['Redaction, 80 × 26 at 0, 0'])
  await page.keyboard.press('Control+Shift+z')
  await expect(marks).toHaveText(['Redaction, 320 × 200 at 0, 0'])
  await page.keyboard.press('Delete')
  await expect(dialog.getByText('None yet.')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(marks).toHaveCount(1)

  await page.keyboard.press('c')
  await page.keyboard.press('Enter')
  await expect(marks.last()).toHaveText('Crop, 256 × 160 at 32, 20')
  for (const key of ['a', 'b', 'n', 'n']) {
    await page.keyboard.press(key)
    await page.keyboard.press('Enter')
  }
  await expect(marks.last()).toHaveText('Number 2 at 160, 100')
  await page.keyboard.press('t')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Text', { exact: true })).toBeFocused()
  await page.keyboard.type('Another customer')
  await expect(marks.last()).toHaveText('Text “Another customer” at 160, 100')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save and seal the original' }).click()
  await expect(dialog).toBeHidden()
  const [shown] = (await files()).filter(({ sealed }) => !sealed)
  const { size, colours } = await pixelsAt(page, address(shown?.id as string), [
    [2, 2],
    [250, 150],
  ])
  expect({ size, colours }).toEqual({ size: [256, 160], colours: ['0,0,0', '0,0,0'] })
})

test('what hides nothing can be added as a new picture; changes are not lost without a question', async ({
  page,
  sortie,
}) => {
  const { evidence, dialog, files } = await newFinding(page, sortie)
  await page.keyboard.press('b')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByRole('radio', { name: 'Replace this picture' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Add a new picture' }).check()
  await dialog.getByRole('button', { name: 'Save as a new picture' }).click()
  await expect(dialog).toBeHidden()
  expect((await files()).map(({ sealed }) => sealed)).toEqual([false, false])
  await expect(evidence.getByRole('button', { name: 'Edit login.png' })).toHaveCount(2)
  await expect(evidence.getByText('Sealed originals')).toBeHidden()
})

test('a picture that is damaged, or too large to edit, says so', async ({ page, sortie }) => {
  const { evidence, dialog } = await newFinding(page, sortie)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  const damaged = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), deflateSync(Buffer.alloc(100))])
  await evidence
    .locator('input[type="file"]')
    .setInputFiles({ name: 'damaged.png', mimeType: 'image/png', buffer: damaged })
  await evidence.getByRole('button', { name: 'Edit damaged.png' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit damaged.png' })
  await expect(editor).toContainText('This browser cannot read the picture')
  await page.keyboard.press('Escape')
  await expect(editor).toBeHidden()

  await page.route('**/files/*', (route) => route.fulfill({ contentType: 'image/png', body: largePng() }))
  await evidence.getByRole('button', { name: 'Edit login.png' }).click()
  await expect(dialog).toContainText(
    'The picture has 12000 × 6000 pixels, more than the 64 million that can be edited.',
  )
})
