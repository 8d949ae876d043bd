import { PAYLOADS } from './support/payloads.ts'
import { expect, test, watch } from './support/sortie.ts'

/** A line of text holds no control or direction characters; the server refuses them, and a test of its own holds that. */
const LINES = PAYLOADS.filter((text) => !/[\p{Cc}\p{Cf}\u2028]/u.test(text)).map((text) => text.slice(0, 190))
/** Objects hold several: each has a field that is shown in a list. */
const TITLES = LINES.filter((_, index) => index % 4 === 0)

for (const policy of ['with its policy', 'without any policy'] as const) {
  test(`L18: ${PAYLOADS.length} payloads are text in every kind of object, in a browser ${policy}`, async ({ browser, sortie }) => {
    test.setTimeout(300_000)
    expect(PAYLOADS.length).toBeGreaterThan(200)
    const { people, origin } = sortie
    const organization = await people.organization()
    const ask = async (path: string, body: object) => {
      const { status, body: answer } = await people.call(organization.owner, 'POST', `/api/web/${path}`, body, organization.id)
      expect([path, status, answer.error?.message]).toEqual([path, 201, undefined])
      return answer.data as { id: string }
    }
    const text = LINES.join('\n\n')
    const [first = '', second = '', third = '', ...more] = TITLES
    const engagement = await ask('engagements', { name: first, description: text.slice(0, 9_000) })
    const engagementId = engagement.id
    const task = await ask('tasks', { engagementId, title: second, description: text.slice(0, 49_000), labels: [third.replaceAll(',', '').slice(0, 40)] })
    await ask(`tasks/${task.id}/comments`, { body: text.slice(0, 19_000) })
    const page = await ask('wiki-pages', { engagementId, title: third, body: PAYLOADS.map((payload) => payload.replaceAll('\0', '')).join('\n\n') })
    const results: { id: string }[] = []
    for (const title of more.slice(0, 12)) {
      const data = { description: text.slice(0, 20_000), evidence: [title] }
      results.push(await ask('results', { engagementId, title, asset: title, severity: 'high', notes: title, data }))
      await ask('targets', { engagementId, value: title, kind: 'other', notes: text.slice(0, 9_000) })
    }
    await ask('api-requests', { engagementId, name: first, method: 'GET', url: 'https://elsewhere.example/', description: text.slice(0, 9_000) })

    const context = await browser.newContext({ baseURL: origin, bypassCSP: policy === 'without any policy' })
    const offences = watch(context, origin)
    const tab = await context.newPage()
    const inside = `/o/${organization.slug}/engagements/${engagementId}`
    await people.signIn(tab, organization.owner, inside)
    const pages = ['', '/targets', '/results', `/results?peek=${results[0]?.id}`, '/tasks', '/tasks?view=list', '/activity', '/requests', `/wiki/${page.id}`]
    for (const address of [
      ...pages.map((each) => inside + each),
      `/o/${organization.slug}/tasks/${task.id}`,
      `/o/${organization.slug}/engagements`,
      `/o/${organization.slug}/search?q=onerror`,
    ]) {
      await tab.goto(address)
      await expect(tab.getByRole('main')).toContainText(/onerror|onload|javascript|elsewhere|__ran/i)
      await expect(tab.locator('[aria-label="Loading"]')).toHaveCount(0)
      const found = await tab.evaluate(() => ({
        hasRun: '__ran' in window,
        // What frameworks make is set as a property: an attribute comes from markup.
        handlers: [...document.querySelectorAll('*')].flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith('on'))),
        scripts: document.querySelectorAll('main script, main iframe, main object, main embed, main base, main style, main form[action], main meta, main link')
          .length,
        addresses: [...document.querySelectorAll('main [href], main [src], main [action], main [formaction], main [srcdoc]')]
          .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? 'other')
          .filter(
            (value) =>
              !/^(?:https?|mailto|blob):|^data:image\/(?:png|svg\+xml);/i.test(URL.canParse(value, location.href) ? new URL(value, location.href).href : value),
          ),
      }))
      expect({ address, ...found }).toEqual({ address, hasRun: false, handlers: [], scripts: 0, addresses: [] })
    }
    await context.close()
    expect(offences).toEqual([])
  })
}
