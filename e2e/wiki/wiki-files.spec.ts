import type { Page } from '@playwright/test'
import { giveFile, PNG } from '../support/give-file.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })

test('an image is pasted and a file dropped into the editor: the page shows the image in place and offers the file', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const ask = await people.session(owner, id)
  const { data } = await ask('POST', '/api/web/wiki-pages', { title: 'Rack', engagementId: null })
  await people.signIn(page, owner, `/o/${slug}/wiki/${data.id}?view=edit`)
  await expect(editor(page)).toBeFocused()
  await giveFile(editor(page), 'paste', { name: 'rack.png', type: 'image/png', base64: PNG })
  await expect(editor(page)).toContainText('![rack.png](fil_')
  const script = btoa('<script>window.ran = true</script>')
  await giveFile(editor(page), 'drop', { name: 'page.html', type: 'text/html', base64: script })
  await expect(editor(page)).toContainText('[page.html](fil_')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Done' }).click()
  const picture = page.getByRole('img', { name: 'rack.png' })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await expectAccessible(page)
  const link = page.getByRole('paragraph').getByRole('link', { name: 'page.html' })
  const headers = await link.evaluate(async (anchor: HTMLAnchorElement) =>
    Object.fromEntries((await fetch(anchor.href)).headers),
  )
  expect(headers).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment; /),
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  })
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)

  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.goto(`/o/${slug}/wiki/${data.id}`)
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(0)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
})

nightly(
  'cells of a spreadsheet are pasted as text, although the clipboard has an image of them; only an image without text is a file',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner, id, slug } = await people.organization()
    const ask = await people.session(owner, id)
    const { data } = await ask('POST', '/api/web/wiki-pages', { title: 'Cells', engagementId: null })
    await people.signIn(page, owner, `/o/${slug}/wiki/${data.id}?view=edit`)
    await expect(editor(page)).toBeFocused()
    const paste = (texts: Record<string, string>) =>
      editor(page).evaluate(
        (element, { given, base64 }) => {
          const clipboardData = new DataTransfer()
          for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text)
          clipboardData.items.add(
            new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], 'image.png', {
              type: 'image/png',
            }),
          )
          element.dispatchEvent(
            new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData }),
          )
        },
        { given: texts, base64: PNG },
      )
    await paste({ 'text/plain': 'host\tport', 'text/html': '<table><tr><td>host</td><td>port</td></tr></table>' })
    await expect(editor(page)).toHaveText('host\tport')
    await paste({ 'text/html': '<img src="https://contoso.example/image.png">' })
    await expect(editor(page)).toContainText('![image.png](fil_')
  },
)

test('B2: tables and lists of tasks are laid out, and a diagram stays code', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const ask = await people.session(owner, id)
  const body =
    '| Port | Open |\n| ---- | ---- |\n| 443 | yes |\n\n- [x] asked\n- [ ] scanned\n\n```mermaid\ngraph TD; A-->B\n```\n\n~~gone~~ ~/kept'
  const { data } = await ask('POST', '/api/web/wiki-pages', { title: 'Plan', engagementId: null, body })
  await people.signIn(page, owner, `/o/${slug}/wiki/${data.id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('columnheader')).toHaveText(['Port', 'Open'])
  await expect(main.getByRole('cell')).toHaveText(['443', 'yes'])
  await expect(main.getByRole('img', { name: 'done' })).toHaveCount(1)
  await expect(main.getByRole('img', { name: 'open' })).toHaveCount(1)
  await expect(main.locator('pre code')).toHaveText('graph TD; A-->B')
  await expect(main.locator('pre svg, iframe')).toHaveCount(0)
  await expect(main.locator('del')).toHaveText('gone')
  await expectAccessible(page)
})
