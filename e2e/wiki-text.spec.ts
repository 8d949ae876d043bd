import { findingsInBothThemes } from './support/accessible.ts'
import { expect, test } from './support/sortie.ts'

const TEXT = `The gateway answers.[^1] Twice.[^2]

\`\`\`js
const port = "</code><script>window.ran = true</script>" // open
\`\`\`

\`\`\`cobol
DISPLAY PORT.
\`\`\`

![Rack](https://pictures.example/rack.png) and [![Badge](https://pictures.example/badge.png)](https://badges.example/)

[^1]: Seen on Monday.
[^2]: And on Tuesday.
`

test('in a page footnotes lead there and back, code has colours and stays text, and no picture is fetched from elsewhere', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const made = await people.call(owner, 'POST', '/api/web/wiki-pages', { title: 'Notes', engagementId: null, body: TEXT }, id)
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).hostname))
  await people.signIn(page, owner, `/o/${slug}/wiki/${made.body.data.id}`)

  const main = page.getByRole('main')
  const marks = main.locator('sup').getByRole('link')
  await expect(marks).toHaveText(['1', '2'])
  await marks.nth(1).focus()
  await page.keyboard.press('Enter')
  const note = main.getByRole('listitem').filter({ hasText: 'And on Tuesday.' })
  await expect(note).toBeFocused()
  await note.getByRole('link').click()
  await expect(marks.nth(1)).toBeFocused()
  await expect(page).toHaveURL(/\/wiki\/wik_\w+$/)

  const code = main.locator('code')
  await expect(code.first().locator('.tok-keyword')).toHaveText('const')
  await expect(code.first().locator('.tok-comment')).toHaveText('// open')
  await expect(code.first()).toHaveText('const port = "</code><script>window.ran = true</script>" // open')
  await expect(code.last()).toHaveText('DISPLAY PORT.')
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)

  await expect(main.getByRole('link', { name: '[image: Rack]' })).toHaveAttribute('href', 'https://pictures.example/rack.png')
  await expect(main.getByRole('link', { name: '[image: Badge]' })).toHaveAttribute('href', 'https://badges.example/')
  await expect(main.locator('img')).toHaveCount(0)
  expect(new Set(fetched)).toEqual(new Set([new URL(sortie.origin).hostname]))
  expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] })
})
