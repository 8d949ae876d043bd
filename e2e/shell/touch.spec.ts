import { WHOLE_BROWSER } from '../support/server/browsers.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test.use({ hasTouch: true, launchOptions: WHOLE_BROWSER })

nightly('a finger that rests on a card picks it up, and drops it in another column', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, path, body, organization.id)
  const engagementId = (await ask('POST', '/api/web/engagements', { name: 'Touch' })).body.data.id
  for (const title of ['First', 'Second']) await ask('POST', '/api/web/tasks', { engagementId, title })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagementId}/tasks`)
  const cardIn = (column: string) => page.getByRole('region', { name: column }).getByRole('button', { name: /^First/ })
  const card = await cardIn('Open').boundingBox()
  const column = await page.getByRole('region', { name: 'Blocked' }).boundingBox()
  if (!card || !column) throw new Error('the board is not drawn')
  const [from, to] = [
    { x: card.x + 40, y: card.y + 20 },
    { x: column.x + 40, y: column.y + 90 },
  ]

  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' })
  await session.send('Input.setInterceptDrags', { enabled: true })
  const picked = new Promise<{ data: object }>((resolve) => session.once('Input.dragIntercepted', resolve))
  const finger = { button: 'left', buttons: 1, clickCount: 1 } as const
  // Answered only after the finger is lifted.
  void session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...from, ...finger }).catch(() => undefined)
  const { data } = await picked
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...to, data: data as never })
    if (type === 'dragOver')
      await expect(page.getByRole('region', { name: 'Blocked' })).toHaveAttribute('data-over', 'true')
  }
  await expect(cardIn('Blocked')).toBeVisible()
  // The card moves at once, before the server answers.
  const blocked = async () => (await ask('GET', `/api/web/tasks?engagementId=${engagementId}&status=blocked`)).body.data
  await expect.poll(async () => (await blocked()).map(({ title }: { title: string }) => title)).toEqual(['First'])
})
