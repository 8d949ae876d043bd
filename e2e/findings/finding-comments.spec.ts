import type { Locator, Page } from '@playwright/test'
import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Comments' })
const open = (page: Page) => panelOf(page).getByRole('article')
const active = (page: Page) => panelOf(page).locator('article[aria-current="true"]')

/** Selects words as a mouse does: from their first to their last letter, across elements. */
const select = (text: Locator, from: string, to = from) =>
  text.evaluate(
    (element, [first, last]) => {
      const shown = element.textContent ?? ''
      const at = (offset: number): [Text, number] => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        let left = offset
        for (let node = walker.nextNode() as Text; ; node = walker.nextNode() as Text) {
          if (left <= node.data.length) return [node, left]
          left -= node.data.length
        }
      }
      const start = at(shown.indexOf(first) + 1)
      const end = at(shown.lastIndexOf(last) + last.length)
      getSelection()?.setBaseAndExtent(start[0], start[1] - 1, end[0], end[1])
    },
    [from, to] as const,
  )

test('a reviewer suggests other words for a selection, and the author accepts them with one key', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const reviewer = await people.member(organization, 'member', 'Rae')
  const { path, add, ask, read } = await engagementWithFindings(people, organization)
  const finding = await add({
    title: 'Orders leak',
    summary: 'Orders leak to guests.\n\nAll orders leak to guests.',
    impact: 'Every order is public.\n\nAnyone can read **every order** of all [customers](https://contoso.example/c).',
  })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}`)
  await people.signIn(otherPage, reviewer, `${path}/findings/${finding.id}`)
  const impact = otherPage.getByRole('region', { name: 'Impact' })

  await select(impact.getByText(/^Anyone/), 'every order of all customers')
  await otherPage
    .getByRole('toolbar', { name: 'Selected words' })
    .getByRole('button', { name: 'Suggest a change' })
    .click()
  await expect(panelOf(otherPage).getByLabel('Quoted words')).toHaveValue(
    '**every order** of all [customers](https://contoso.example/c)',
  )
  await expect(panelOf(otherPage).getByLabel('Replacement')).toBeFocused()
  await panelOf(otherPage).getByLabel('Replacement').fill('the orders of **every** customer')
  await expectAccessible(otherPage)
  await otherPage.keyboard.press('Control+Enter')
  await expect(open(otherPage)).toHaveCount(1)

  // The same words are in an earlier line: the quote begins a word earlier, because its first place counts.
  await select(otherPage.getByRole('region', { name: 'Summary' }).getByText(/^All orders/), 'leak to guests.')
  await otherPage.keyboard.press('c')
  await expect(panelOf(otherPage).getByLabel('Quoted words')).toHaveValue('orders leak to guests.')
  await expect(panelOf(otherPage).getByLabel('New comment')).toBeFocused()
  await otherPage.keyboard.type('Whose?')
  await otherPage.keyboard.press('Control+Enter')
  await expect(open(otherPage)).toHaveCount(2)

  await expect(page.getByRole('tab', { name: 'Comments 2' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(active(page)).toContainText('Whose?')
  const views = page.getByRole('navigation', { name: 'Views of the finding' })
  await expect(views.getByRole('link', { name: 'Texts' })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('j')
  await expect(active(page)).toContainText('the orders of **every** customer')
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('comment-active')?.size)).toBe(1)
  await page.keyboard.press('a')
  await expect(page.getByRole('region', { name: 'Impact' })).toContainText(
    'Anyone can read the orders of every customer.',
  )
  await expect(open(page)).toHaveCount(1)
  await expect(active(page)).toContainText('Whose?')
  await page.keyboard.press('r')
  await expect(open(page)).toHaveCount(0)
  expect((await read(finding.id)).impact).toBe(
    'Every order is public.\n\nAnyone can read the orders of **every** customer.',
  )

  // The reviewer sees both without a reload.
  await expect(impact).toContainText('the orders of every customer.')
  await expect(open(otherPage)).toHaveCount(0)
  await otherPage.getByRole('button', { name: 'Show 2 resolved comments' }).click()
  await expect(open(otherPage).filter({ hasText: 'Accepted by' })).toContainText(organization.owner.name)
  await open(otherPage).filter({ hasText: 'Whose?' }).getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByRole('tab', { name: 'Comments 1' })).toBeVisible()
  expect((await ask('GET', `/findings/${finding.id}`)).data.commentCount).toBe(2)
})

test('a suggestion whose words are gone says so and is not accepted; an archived engagement is only read', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, add, ask, read } = await engagementWithFindings(people, organization)
  const finding = await add({ title: 'Orders leak', impact: 'Anyone can read every order.' })
  const anchor = { section: 'impact', quote: 'every order' }
  const { data } = await ask('POST', `/findings/${finding.id}/comments`, {
    body: '',
    anchor,
    suggestion: 'some orders',
  })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/findings/${finding.id}#${data.id}`)
  await expect(active(page)).toContainText('some orders')
  await expect(active(page).getByRole('button', { name: 'Accept' })).toBeVisible()
  await ask('PATCH', `/findings/${finding.id}`, { impact: 'Nothing of it.', baseRevision: 1 })
  await expect(active(page).getByRole('note')).toContainText('The text has changed')
  await expect(active(page).getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(
    page.getByRole('alert').filter({ hasText: 'The text has changed: it no longer contains these words.' }),
  ).toBeVisible()
  expect((await read(finding.id)).impact).toBe('Nothing of it.')
  await expectAccessible(page)

  for (const status of ['completed', 'archived']) await ask('PATCH', `/engagements/${id}`, { status })
  await page.reload()
  await expect(active(page)).toBeVisible()
  for (const name of ['Resolve', 'Edit', 'Delete', 'Comment', 'Suggest'])
    await expect(panelOf(page).getByRole('button', { name, exact: true })).toHaveCount(0)
  await expect(panelOf(page).getByRole('textbox')).toHaveCount(0)
})

test('the comments are next to the editor: a suggestion is accepted there, into the open text; a reopened comment is not called edited', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, add, ask, read } = await engagementWithFindings(people, organization)
  const finding = await add({ title: 'Orders leak', impact: 'Anyone can read every order.' })
  const made = (await ask('POST', `/findings/${finding.id}/comments`, { body: 'Whose?' })).data
  await ask('POST', `/comments/${made.id}/resolve`)
  await ask('POST', `/comments/${made.id}/reopen`)
  await ask('POST', `/findings/${finding.id}/comments`, {
    body: '',
    anchor: { section: 'impact', quote: 'every order' },
    suggestion: 'some orders',
  })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}?view=edit`)
  const editor = page.getByRole('textbox', { name: 'Impact' })
  await expect(editor).toContainText('Anyone can read every order.')
  await expect(panelOf(page)).toHaveCount(0)
  const toggle = page.getByRole('button', { name: 'Comments 2' })
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect(open(page)).toHaveCount(2)
  await expect(open(page).filter({ hasText: 'Whose?' })).not.toContainText('(edited)')
  await expectAccessible(page)
  await open(page).filter({ hasText: 'some orders' }).getByRole('button', { name: 'Accept' }).click()
  await expect(editor).toContainText('Anyone can read some orders.')
  await expect(open(page)).toHaveCount(1)
  expect((await read(finding.id)).impact).toBe('Anyone can read some orders.')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(panelOf(page)).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Comments 1' }).click()
  await expect(panelOf(page)).toHaveCount(0)
})

test('next to its comments a finding has one primary button: the next step of its review', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, add, ask } = await engagementWithFindings(people, organization)
  const { id } = await add({ title: 'Orders leak' })
  await ask('PATCH', `/findings/${id}`, { state: 'in_review' })
  await people.signIn(page, organization.owner, `${path}/findings/${id}?side=comments`)
  await expect(panelOf(page).getByRole('button', { name: 'Comment' })).toBeVisible()
  await expect(page.locator('.mantine-Button-root:not([data-variant])')).toHaveText(['Approve'])
})

test('results have comments; a notice leads to the comment and is read there', async ({ page, otherPage, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const mate = await people.member(organization, 'member', 'Max')
  const { id, path, ask } = await engagementWithFindings(people, organization)
  const result = (
    await ask('POST', '/results', { engagementId: id, title: 'Old TLS', asset: '192.0.2.9', severity: 'low' })
  ).data
  await people.signIn(page, organization.owner, `${path}/results?peek=${result.id}`)
  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByLabel('New comment').fill('@Max')
  await expect(comments.getByRole('option', { name: mate.name })).toBeVisible()
  await page.keyboard.press('Enter')
  await comments.getByLabel('New comment').pressSequentially('seen by hand?')
  await page.keyboard.press('Control+Enter')
  await expect(comments.getByRole('article')).toContainText('seen by hand?')

  await people.signIn(otherPage, mate, `/o/${organization.slug}/inbox`)
  await otherPage.getByRole('link', { name: /mentioned you on Old TLS/ }).press('Enter')
  await expect(otherPage.getByRole('article')).toContainText('seen by hand?')
  await otherPage.getByRole('article').getByRole('button', { name: 'Resolve' }).click()
  await expect(comments.getByRole('article')).toHaveCount(0)
  await expect(comments.getByRole('button', { name: 'Show 1 resolved comment' })).toBeVisible()
  await otherPage.goto(`/o/${organization.slug}/inbox?unread=true`)
  await expect(otherPage.getByRole('heading', { name: 'All read' })).toBeVisible()
})
