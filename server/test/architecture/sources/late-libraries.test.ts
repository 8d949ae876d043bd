import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Large, and wanted by few servers or seldom: each is loaded where it is used first. */
const LATE =
  /^(?:@modelcontextprotocol\/server|@simplewebauthn\/server|@workos-inc\/node|fxa-common-password-list)(?:\/|$)|\/redis-rate-limit\.ts$/

test('a start loads no library that few servers use: each is imported when it is needed', () => {
  const sources = globSync('server/src/**/*.ts')
  expect(sources.length).toBeGreaterThanOrEqual(150)
  const early = sources.flatMap((file) =>
    parseSync(file, readFileSync(file, 'utf8'))
      .module.staticImports.filter(
        ({ moduleRequest, entries }) =>
          LATE.test(moduleRequest.value) && !(entries.length > 0 && entries.every(({ isType }) => isType)),
      )
      .map(({ moduleRequest }) => `${file}: ${moduleRequest.value}`),
  )
  expect(early).toEqual([])
})
