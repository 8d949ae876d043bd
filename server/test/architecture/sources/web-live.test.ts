import { describe, expect, test } from 'vitest'
import { readSources, type Source, sourceOf } from '../../support/sources/imports.ts'

/** Reads of an organization that follow no event, with the reason. */
const NOT_LIVE: Readonly<Record<string, string>> = {
  diffRequestRuns: 'runs never change',
  getApiRequestCurl: 'a text that is made on demand, to be copied',
  getAuthorization: 'read every three seconds while it waits, and then no more',
  getBilling: 'the provider changes it, and it is read when the page opens',
  getFindingRevision: 'revisions never change',
  getLibraryVersion: 'versions never change',
  getFirstRun: "of the caller's own account",
  getRequestRunExcerpt: 'runs never change',
  getRequestRun: 'runs never change once they are over; one under way is asked for until then',
  getWikiRevision: 'revisions never change',
  listDeliveries: 'a log of what GitHub sent, read when the page opens',
  listImportFormats: 'the same in every organization',
  listScanners: 'the same in every organization',
  listWebhookDeliveries: 'a log, read again while a delivery waits',
  search: 'an answer to a question, which is asked again',
}

/**
 * Operations that components read as data of an organization. Reads of the account and the instance have `null` as
 * first argument.
 */
const readsIn = (sources: readonly Source[]): Set<string> =>
  new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/\b(?:query|rows)\(\s*([\w.]+),\s*'(\w+)'/g)].flatMap(([, tenant, name]) =>
        tenant === 'null' || name === undefined ? [] : [name],
      ),
    ),
  )

const liveIn = (sources: readonly Source[]): Set<string> =>
  new Set(
    sources
      .filter(({ file }) => file.endsWith('.feature.ts'))
      .flatMap(({ text }) =>
        [...text.matchAll(/\blive: (\{.*?\}),?\n/gs)].flatMap(([, live]) =>
          [...(live ?? '').matchAll(/'(\w+)'/g)].flatMap(([, name]) => name ?? []),
        ),
      ),
  )

const without = (sources: readonly Source[]): string[] => {
  const live = liveIn(sources)
  return [...readsIn(sources)].filter((name) => !live.has(name) && NOT_LIVE[name] === undefined).toSorted()
}

const web = readSources('web/src')

describe('the pages of an organization', () => {
  test('follow the changes of others: each read is in `live` of a feature, or is listed here with a reason', () => {
    expect(readsIn(web).size).toBeGreaterThanOrEqual(80)
    expect(without(web)).toEqual([])
  })

  test('have no read in `live`, or with a reason not to be, that no page makes', () => {
    const pages = web.filter(({ file }) => !file.endsWith('.feature.ts'))
    const unused = [...liveIn(web), ...Object.keys(NOT_LIVE)].filter(
      (name) => !pages.some(({ text }) => text.includes(`'${name}'`)),
    )
    expect(unused).toEqual([])
  })

  test('are found missing where a feature forgets one', () => {
    const page = sourceOf(
      'web/src/features/x/XPage.tsx',
      "const list = useQuery(query(organization.id, 'listThings'))\nuseQuery(query(null, 'getAccount'))",
    )
    const feature = (live: string) =>
      sourceOf(
        'web/src/features/x/x.feature.ts',
        `export const x = feature({\n  routes: {},\n  live: { ${live} },\n})\n`,
      )
    expect(without([page, feature("task: ['listOthers']")])).toEqual(['listThings'])
    expect(without([page, feature("task: ['listThings']")])).toEqual([])
  })
})
