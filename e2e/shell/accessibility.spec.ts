import type { Page } from '@playwright/test'
import { accessibilityFindings, findingsInBothThemes } from '../support/pages/accessible.ts'
import { everyPage } from '../support/pages/every-page.ts'
import { everyFailure, everyRefusal } from '../support/pages/every-state.ts'
import { nightly } from '../support/server/nightly.ts'
import type { People } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

/** Each commit checks one page of each kind that no other of its tests checks; all others consist of the same parts. */
const KINDS: ReadonlySet<string> = new Set([
  'sign-in',
  'engagement',
  'results',
  'task',
  'task-create',
  'target-peek',
  'overview-empty',
  'general',
  'members',
  'palette',
  'menu',
])

test('no kind of page has a serious accessibility finding', async ({ page, sortie }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const seen = new Set<string>()
  for await (const name of everyPage(page, sortie.people, (candidate) => KINDS.has(candidate))) {
    seen.add(name)
    expect.soft(await accessibilityFindings(page), name).toEqual([])
  }
  expect([...KINDS].filter((name) => !seen.has(name))).toEqual([])
})

const PARTS = 2

for (let part = 0; part < PARTS; part++) {
  nightly(`no page has a serious accessibility finding, part ${part + 1} of ${PARTS}`, async ({ page, sortie }) => {
    test.setTimeout(900_000)
    await page.emulateMedia({ colorScheme: 'light' })
    for await (const name of everyPage(page, sortie.people, (_, index) => index % PARTS === part)) {
      expect.soft(await findingsInBothThemes(page), name).toEqual({ light: [], dark: [] })
    }
  })
}

test('no refusal has a serious accessibility finding, in either theme', async ({ page, sortie }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  for await (const state of everyRefusal(page, sortie.people)) {
    expect.soft(await findingsInBothThemes(page), state).toEqual({ light: [], dark: [] })
    if (state === 'field-refused') return
  }
})

const STATES: [string, (page: Page, otherPage: Page, people: People) => AsyncGenerator<string>][] = [
  ['refusal, danger or secret', (page, _, people) => everyRefusal(page, people)],
  ['conflict, warning or failure', everyFailure],
]

for (const [name, states] of STATES) {
  nightly(`no ${name} has a serious accessibility finding, in either theme`, async ({ page, otherPage, sortie }) => {
    test.setTimeout(900_000)
    await page.emulateMedia({ colorScheme: 'light' })
    for await (const state of states(page, otherPage, sortie.people)) {
      expect.soft(await findingsInBothThemes(page), state).toEqual({ light: [], dark: [] })
    }
  })
}
