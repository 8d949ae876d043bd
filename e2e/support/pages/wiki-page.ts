import type { Page } from '@playwright/test'
import type { People, TestOrganization } from '../server/people.ts'
import { expect } from '../server/sortie.ts'

export const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })
/** The editor's status once the server has stored everything. */
export const saved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved$/ })
export const waiting = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'kept in this browser and saved as soon as it can be' })

/** A page of the organization's wiki, and a function that reads it from the server. */
export const newPage = async (people: People, { id, owner }: TestOrganization, body: string) => {
  const ask = (method: string, path: string, content?: object) =>
    people.call(owner, method, `/api/web/wiki-pages${path}`, content, id)
  const made = (await ask('POST', '', { title: 'Notes', engagementId: null, body })).body.data as { id: string }
  const read = async (): Promise<{ body: string; revision: number }> => (await ask('GET', `/${made.id}`)).body.data
  const write = async (text: string) =>
    expect((await ask('PATCH', `/${made.id}`, { body: text, baseRevision: (await read()).revision })).status).toBe(200)
  return { pageId: made.id, read, write, textOf: async () => (await read()).body }
}

/** Types at the end of the line that contains this text. */
export const typeAfter = async (page: Page, line: string, text: string) => {
  await editor(page).getByText(line).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}
