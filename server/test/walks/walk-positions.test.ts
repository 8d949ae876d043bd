import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly } from '../support/app/nightly.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { type IdPosition, idPositions, placeOf } from '../support/walks/id-positions.ts'
import { candidates, type TwoTenants, tellsOwnFromUnknown, twoTenants } from '../support/walks/two-tenants.ts'

let app: TestApp
let tenants: TwoTenants

beforeAll(async () => {
  app = await testApp({ workers: false })
  tenants = await twoTenants(app)
})
afterAll(() => app.close())

/** They end an object that others need, or the caller's right. */
const ENDS_SOMETHING = /DELETE |-delete |\/cancel |\/account|\/sessions|sign-out|leave |transfer-ownership /

/** These find nothing, or need a file of this very object: separate tests cover them. */
const NOTHING_THERE = [
  /(?:scanId|importId)$/,
  /\/results\/diff |diff\.(?:from|to)$/,
  /\/notifications\/read body /,
  /\/files\/:fileId path /,
  /\/revisions\/:revision(?:\/restore)? path (?:pageId|findingId)$/,
  /\/:runId\/body path /,
  /(?:wiki-pages|request-folders) query parentId$/,
  /expand body targets\.filter\.parentId$/,
  / body templateId$/,
  // A picture of this very report.
  /\/reports\/:reportId\/files query redacts$/,
  // An edition of this very report.
  /options\.since$/,
  /\/compare query (?:from|to)$/,
  // A finding of another engagement of the same client; others are refused like unknown ones.
  /\/findings(?:\/:findingId)? body retestOf$/,
  // A proof of the finding of the item; others are refused like unknown ones.
  /\/retests\/:retestId\/items\/:itemId\/run body proofId$/,
  // A problem of this report; others are refused like unknown ones.
  /checks\/waive body where\.id$/,
  // A rule that has the effect already does not count, and an unknown one does not either.
  /scope-rules\/bulk-update body ids$/,
  // Nothing is in the trash, and rows of these times have not changed.
  /bulk-restore body filter\./,
  /bulk-revert body items\.set\./,
  /wiki-pages\/:pageId\/move body (?:before|after)Id$/,
  /\/send body request\.body\..*fileId$/,
  /api-requests\/import query /,
  // None of these engagements is in the trash.
  /\/trashed-engagements\/:engagementId\/restore /,
]

test('A1: the walks ask answerable questions: at every position the own id is distinguished from an unknown one', async () => {
  const ids = tenants.ownIds
  const looksLikeId = ({ prefixes }: IdPosition) => prefixes.length > 0
  const silent: string[] = []
  // A fixed third: earlier requests decide what exists.
  const positions = idPositions(app).filter(looksLikeId)
  for (const position of positions.filter((_, index) => isNightly || index % 3 === 0)) {
    const place = placeOf(position)
    if (ENDS_SOMETHING.test(place) || NOTHING_THERE.some((known) => known.test(place))) continue
    if (!(await tellsOwnFromUnknown(tenants, position, candidates({ victimIds: ids }, position).slice(0, 6))))
      silent.push(place)
  }
  expect(silent).toEqual([])
})
