import { hereMs } from '../../server/test/support/app/machine.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect } from '../support/server/sortie.ts'

const ITEMS = 50
const TARGETS = 100

nightly(
  'a board of 5,000 tasks draws only visible cards, scrolls to its end, and moves a card at once',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body
    }
    const engagementId = (await ask('POST', '/engagements', { name: 'Large' })).data.id
    const text = Array.from({ length: TARGETS }, (_, index) => `10.0.0.${index + 1}`).join('\n')
    await ask('POST', '/targets/bulk', { engagementId, text })
    const items = Array.from({ length: ITEMS }, (_, index) => ({
      key: `K${index}`,
      title: `Check ${index}`,
      group: 'All',
      appliesTo: ['ip'],
    }))
    const methodology = (await ask('POST', '/methodologies', { name: 'Everything', items })).data.id
    const { data } = await ask('POST', `/methodologies/${methodology}/expand`, {
      engagementId,
      targets: { filter: {} },
    })
    expect(data.created).toBe(ITEMS * TARGETS)

    await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagementId}/tasks`)
    const open = page.getByRole('region', { name: 'Open' })
    const cards = open.getByRole('button', { name: /^Check / })
    await expect(cards.first()).toBeVisible()
    await expect(open.getByRole('heading')).toHaveText(`Open ${ITEMS * TARGETS}`)
    expect(await cards.count()).toBeLessThan(60)

    const scroller = open.locator('ul').locator('xpath=..')
    const first = await cards.first().textContent()
    // Scrolling loads the next cards.
    await expect(async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      expect(await scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(50_000)
    }).toPass()
    await expect(cards.first()).toBeVisible()
    expect(await cards.first().textContent()).not.toBe(first)
    expect(await cards.count()).toBeLessThan(60)

    const card = cards.nth(5)
    await card.focus()
    const started = Date.now()
    await page.keyboard.press('Alt+ArrowRight')
    await expect(
      page.getByRole('region', { name: 'In progress' }).getByRole('button', { name: /^Check / }),
    ).toHaveCount(1)
    // Visible before the server has answered, with a margin for a busy machine.
    expect(Date.now() - started).toBeLessThan(hereMs(3_000))
  },
)
