import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseConfig, VARIABLES } from '../../../src/platform/config.ts'
import { describeDecisions, OPEN_POINTS } from '../../../src/published/open-points.ts'
import { SPEC_GAPS } from '../../../src/published/spec-gaps.ts'

const numbers = OPEN_POINTS.map(({ number }) => number)

test('every "not shown" of the specification is decided by a row', () => {
  expect(SPEC_GAPS).toHaveLength(19)
  expect(new Set(SPEC_GAPS.map(({ quote }) => quote)).size).toBe(19)
  for (const { quote, decidedBy } of SPEC_GAPS) {
    expect(quote).toMatch(/: not shown\.$/)
    expect(decidedBy.length, quote).toBeGreaterThan(0)
    expect(numbers, quote).toEqual(expect.arrayContaining([...decidedBy]))
  }
})

test('rows are numbered from 1, each number once', () => {
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

test.each(OPEN_POINTS)('row $number names files and settings that exist', ({ settings, sources }) => {
  for (const file of sources) expect(existsSync(file), file).toBe(true)
  for (const name of settings) expect(Object.keys(VARIABLES)).toContain(name)
})

test.each(OPEN_POINTS)('row $number states plainly whether it is built', ({ kind, decision, settings, sources }) => {
  if (kind === 'refused') expect(decision).toMatch(/not offered yet|planned/i)
  expect(sources.length > 0).toBe(kind !== 'refused')
  expect(settings.length > 0).toBe(kind === 'operator')
})

test('the decisions of an instance are shown with the values of their settings, and without secrets', () => {
  const secret = 'a password that no one may read'
  const text = describeDecisions(
    parseConfig({
      SESSION_SECRET: 'x'.repeat(32),
      ENGAGEMENT_READ_SCOPE: 'tasks:read',
      TRUST_PROXY: '10.0.0.1, 10.1.0.0/16',
      ADMIN_PASSWORD: secret,
    }),
  )
  for (const number of numbers) expect(text).toMatch(new RegExp(`^${number}\\. `, 'm'))
  expect(text).toContain('ENGAGEMENT_READ_SCOPE = tasks:read (set)')
  expect(text).toContain('ENGAGEMENT_WRITE_SCOPE = organizations:write (default)')
  expect(text).toContain('TRUST_PROXY = 10.0.0.1, 10.1.0.0/16 (set)')
  expect(text).toContain('ADMIN_PASSWORD = (set, not shown)')
  expect(text).not.toContain(secret)
})
