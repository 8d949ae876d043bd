import type { Page } from '@playwright/test'
import { findingsInBothThemes } from './support/accessible.ts'
import { everyPage } from './support/every-page.ts'
import { everyFailure, everyRefusal } from './support/every-state.ts'
import type { People } from './support/people.ts'
import { expect, test } from './support/sortie.ts'

const PARTS = 2

for (let index = 0; index < PARTS; index++) {
  test(`no page has a serious accessibility finding, part ${index + 1} of ${PARTS}`, async ({ page, sortie }) => {
    test.setTimeout(900_000)
    await page.emulateMedia({ colorScheme: 'light' })
    for await (const name of everyPage(page, sortie.people, { index, of: PARTS })) {
      expect.soft(await findingsInBothThemes(page), name).toEqual({ light: [], dark: [] })
    }
  })
}

const STATES: [string, (page: Page, otherPage: Page, people: People) => AsyncGenerator<string>][] = [
  ['refusal, danger or secret', (page, _, people) => everyRefusal(page, people)],
  ['conflict, warning or failure', everyFailure],
]

for (const [name, states] of STATES) {
  test(`no ${name} has a serious accessibility finding, in either theme`, async ({ page, otherPage, sortie }) => {
    test.setTimeout(900_000)
    await page.emulateMedia({ colorScheme: 'light' })
    for await (const state of states(page, otherPage, sortie.people)) {
      expect.soft(await findingsInBothThemes(page), state).toEqual({ light: [], dark: [] })
    }
  })
}
