import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows } from '../../../src/platform/database/rows.ts'
import { isNightly, variantsFor } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { checksumsOfOrganization } from '../../support/inputs/snapshot.ts'
import { idPositions } from '../../support/walks/id-positions.ts'
import {
  type ClosedEngagements,
  candidates,
  closedEngagements,
  compareWithTwin,
} from '../../support/walks/two-tenants.ts'
import { atOneDoor, mountedRoutes } from '../../support/walks/walk.ts'

let app: TestApp
let walk: ClosedEngagements

beforeAll(async () => {
  app = await testApp({ workers: false })
  walk = await closedEngagements(app)
})
afterAll(() => app.close())

const changesInLog = () => countRows(app.db.selectFrom('audit_entries').where('action', '<>', 'data.downloaded'))

describe('an object in a closed engagement', () => {
  test('A1, A2, A3: at every position of every route is answered like an unknown id, and nothing changes', async () => {
    const victimIds = walk.closed.ids
    expect([...victimIds.keys()]).toEqual(
      expect.arrayContaining(['eng', 'tgt', 'res', 'imp', 'scn', 'tsk', 'cmt', 'wik', 'req', 'fld', 'fil']),
    )
    const before = await checksumsOfOrganization(app.db, app.organization.id)
    const changes = await changesInLog()
    const routes = new Set(atOneDoor(mountedRoutes(app)).map((route) => route.name))
    const asked = { path: 0, query: 0, body: 0, header: 0 }
    for (const [name, asking] of Object.entries(walk.outsiders)) {
      for (const position of variantsFor(name, 2, idPositions(app))) {
        if (position.prefixes.length === 0 || !routes.has(position.route.name)) continue
        for (const id of candidates({ victimIds }, position).slice(0, isNightly ? 2 : 1)) {
          // 403: the caller's role is too low. 400: the bytes of a file are checked first.
          await compareWithTwin(asking, position, id, [
            403,
            404,
            ...(position.route.endpoint.consumes === 'bytes' ? [400] : []),
          ]).catch((error: unknown) => {
            throw new Error(`${name} learns something`, { cause: error })
          })
          asked[position.where]++
        }
      }
    }
    expect(asked.path).toBeGreaterThanOrEqual(100)
    expect(asked.query).toBeGreaterThanOrEqual(25)
    expect(asked.body).toBeGreaterThanOrEqual(25)
    // A download is itself an entry of the caller's log, whatever it holds.
    const { audit_entries: _then, ...stored } = before
    const { audit_entries: _now, ...storedNow } = await checksumsOfOrganization(app.db, app.organization.id)
    expect(storedNow).toEqual(stored)
    expect(await changesInLog()).toBe(changes)
  })
})
