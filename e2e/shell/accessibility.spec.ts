import type { Page } from '@playwright/test'
import { accessibilityFindings, findingsInBothThemes } from '../support/pages/accessible.ts'
import { everyAddress } from '../support/pages/controls.ts'
import { everyPage } from '../support/pages/every-page.ts'
import { everyFailure, everyRefusal } from '../support/pages/every-state.ts'
import { everyOverlay } from '../support/pages/overlays.ts'
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

/**
 * Addresses that lead to another page of the walk, and requests and wiki pages of the organization, which are shown as
 * those of an engagement.
 */
const LEADS_ON =
  /^\/o\/:slug(?:\/(?:(?:targets|results|imports|findings|tasks|scans|requests|wiki|reports)\/:id|settings))?$|^\/(?:account|instance)?$/

const templateOf = (address: string): string =>
  address
    .replace(/[?#].*/, '')
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b|\/none(?=\/|$)/g, (id) => (id.startsWith('/') ? '/:id' : ':id'))
    .replace(/^\/o\/[^/]+/, '/o/:slug')

test('every address of a page is in the walk over the pages', async ({ page, sortie }) => {
  const walked = new Set<string>()
  const collect = (_: string, __: number, path: string) => {
    walked.add(templateOf(path))
    return false
  }
  // Wants no page: none is opened.
  await everyPage(page, sortie.people, collect).next()
  const missing = new Set(
    everyAddress('slug', 'none')
      .map((address) => templateOf(address))
      .filter((address) => !walked.has(address) && !LEADS_ON.test(address)),
  )
  expect([...missing]).toEqual([])
})

/** Pages whose menus and dialogs each commit opens. */
const WITH_OVERLAYS: ReadonlySet<string> = new Set(['task', 'result-peek', 'report-checks'])

test('no menu or dialog of the pages that people work in has a serious accessibility finding', async ({
  page,
  sortie,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  let opened = 0
  for await (const name of everyPage(page, sortie.people, (candidate) => WITH_OVERLAYS.has(candidate))) {
    for await (const button of everyOverlay(page)) {
      opened++
      expect.soft(await accessibilityFindings(page), `${name}: ${button}`).toEqual([])
    }
  }
  expect(opened).toBeGreaterThan(8)
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

for (let part = 0; part < PARTS; part++) {
  nightly(
    `no menu or dialog of any page has a serious accessibility finding, part ${part + 1} of ${PARTS}`,
    async ({ page, sortie }) => {
      test.setTimeout(1_800_000)
      await page.emulateMedia({ colorScheme: 'light' })
      for await (const name of everyPage(page, sortie.people, (_, index) => index % PARTS === part)) {
        for await (const button of everyOverlay(page))
          expect.soft(await findingsInBothThemes(page), `${name}: ${button}`).toEqual({ light: [], dark: [] })
      }
    },
  )
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
