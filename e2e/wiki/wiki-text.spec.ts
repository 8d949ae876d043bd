import { findingsInBothThemes } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

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

test('B3: in a page footnotes lead there and back, code has colours and stays text, and no image is fetched from another host', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const made = await people.call(
    owner,
    'POST',
    '/api/web/wiki-pages',
    { title: 'Notes', engagementId: null, body: TEXT },
    id,
  )
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

  await expect(main.getByRole('link', { name: '[image: Rack]' })).toHaveAttribute(
    'href',
    'https://pictures.example/rack.png',
  )
  await expect(main.getByRole('link', { name: '[image: Badge]' })).toHaveAttribute('href', 'https://badges.example/')
  await expect(main.locator('img')).toHaveCount(0)
  expect(new Set(fetched)).toEqual(new Set([new URL(sortie.origin).hostname]))
  expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] })
})

nightly('code of a shell, of Python and of HTTP has colours', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const body = [
    '```bash\nfor port in 80 443; do curl "http://$HOST:$port"; done # all\n```',
    '```python\ndef scan(host):\n    """Two\n    lines"""\n    return 443 # open\n```',
    '```http\nPOST /login HTTP/1.1\nHost: vpn.example\n\n<script>window.ran = true</script>\n```',
    `\`\`\`python\n${'0('.repeat(8_000)}\n\`\`\``,
  ].join('\n\n')
  const made = await people.call(owner, 'POST', '/api/web/wiki-pages', { title: 'Notes', engagementId: null, body }, id)
  await people.signIn(page, owner, `/o/${slug}/wiki/${made.body.data.id}`)
  const code = page.getByRole('main').locator('pre code')
  await expect(code.nth(0).locator('.tok-keyword')).toHaveText(['for', 'in', 'do', 'curl', 'done'])
  await expect(code.nth(0).locator('.tok-comment')).toHaveText('# all')
  await expect(code.nth(1).locator('.tok-string')).toHaveText(['"""Two', '    lines"""'])
  await expect(code.nth(1).locator('.tok-number')).toHaveText('443')
  await expect(code.nth(2).locator('.tok-keyword')).toHaveText(['POST', 'HTTP/1.1'])
  await expect(code.nth(2).locator('.tok-propertyName')).toHaveText('Host:')
  expect(await code.nth(2).textContent()).toBe(
    'POST /login HTTP/1.1\nHost: vpn.example\n\n<script>window.ran = true</script>\n',
  )
  expect(await code.nth(3).textContent()).toBe(`${'0('.repeat(8_000)}\n`)
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] })
})

nightly(
  'footnotes of a long page are numbered over all of it, and lead to their notes and back wherever these are',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner, id, slug } = await people.organization()
    const filling = (name: string) =>
      Array.from(
        { length: 120 },
        (_, index) => `Paragraph ${index} of ${name}, which says nothing that matters, at some length.`,
      )
    const body = [
      'It begins.[^start] `[^code]` \\[^escaped]',
      '```\n[^code]: in code\n```',
      ...filling('one'),
      '[^early]: Defined before it is **used**.\n\n    With a second paragraph.',
      '[^unused]: No one refers to this.',
      ...filling('two'),
      'In the middle.[^Early] And once more.[^start]',
      ...filling('three'),
      'At the end.[^last][^missing]',
      '[^start]: Seen on Monday.\n[^last]: Seen on Friday,[^nested]\non two lines.\n[^nested]: As a note says.\n[^escaped]: Never.\n[^code]: Never.',
    ].join('\n\n')
    const made = await people.call(
      owner,
      'POST',
      '/api/web/wiki-pages',
      { title: 'Notes', engagementId: null, body },
      id,
    )
    await people.signIn(page, owner, `/o/${slug}/wiki/${made.body.data.id}`)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { name: 'Footnotes' })).toHaveCount(1)
    const marks = main.locator('sup').getByRole('link')
    await expect(marks).toHaveText(['1', '2', '1', '3', '4'])
    const notes = main.locator('ol > li[id]')
    await expect(notes).toHaveText([
      /^\s*Seen on Monday\. ↩ ↩2/,
      /^\s*Defined before it is used\.\s+With a second paragraph\. ↩/,
      /^\s*Seen on Friday,4\s+on two lines\. ↩/,
      /^\s*As a note says\. ↩/,
    ])
    await expect(main).not.toContainText('No one refers to this.')
    await expect(main).toContainText('[^escaped]')
    await expect(main).toContainText('At the end.3[^missing]')
    await expect(main.locator('code')).toHaveText(['[^code]', '[^code]: in code\n'])
    await marks.nth(1).focus()
    await page.keyboard.press('Enter')
    await expect(notes.nth(1)).toBeFocused()
    await expect(notes.nth(1)).toBeInViewport()
    await notes.nth(1).getByRole('link').click()
    await expect(marks.nth(1)).toBeFocused()
    await expect(marks.nth(1)).toBeInViewport()
    await notes.nth(0).getByRole('link', { name: 'Back to reference 1-2' }).click()
    await expect(marks.nth(2)).toBeFocused()
    await expect(page).toHaveURL(/\/wiki\/wik_\w+$/)
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] })
  },
)
