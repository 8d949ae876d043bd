import { closedObject, type Endpoint, endpoint } from '@sortie/contract/core/endpoint.ts'
import { LINES_BODY_BYTES, Lines, OTHER_FIELDS_BYTES } from '@sortie/contract/core/lists.ts'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import { bodyLimitOf } from '../../../src/platform/http/routes/steps/parse.ts'
import { requestParser } from '../../../src/platform/http/routes/validate.ts'
import { readLines } from '../../../src/platform/lists/lines.ts'
import { parseJsonObject } from '../../../src/platform/text/json.ts'
import { hereMs } from '../../support/app/machine.ts'

describe('pasted lines', () => {
  test('are trimmed and numbered as pasted; blank ones and comments are skipped', () => {
    const text = '\ufeff10.0.0.1\r\n\n  # a network\n10.0.0.0/8 # all of it\r\thttps://example.com/#top\t\n#\n a#b \n#x'
    expect(readLines(text)).toEqual([
      { line: 1, input: '10.0.0.1' },
      { line: 4, input: '10.0.0.0/8' },
      { line: 5, input: 'https://example.com/#top' },
      { line: 7, input: 'a#b' },
    ])
    expect(readLines('\u0001')).toEqual([{ line: 1, input: '\u0001' }])
    for (const nothing of ['', '\n\n', '# only\n  # comments', ' \t ']) expect(readLines(nothing)).toEqual([])
  })

  test('are 10,000 at most, however many are skipped', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `# ${i}\n\nhost${i}`).join('\n')
    expect(readLines(many)).toHaveLength(10_000)
    expect(() => readLines(`${many}\n`)).not.toThrow()
    expect(() => readLines(`${many}\none more`)).toThrow(expect.objectContaining({ status: 422 }))
  })

  test('of 2 MiB are read in less than 250 ms, whatever their content', () => {
    const fill = (unit: string) => unit.repeat(Math.floor(LINES_BODY_BYTES / unit.length))
    for (const text of [
      fill('\n'),
      fill(' '),
      fill(' #'),
      fill('#'),
      fill('a'),
      fill('\r\n'),
      fill('a '),
      fill('\t#\n'),
      fill('\u2003'),
    ]) {
      const took = costOf(() => readLines(text))
      expect(took, JSON.stringify(text.slice(0, 4))).toBeLessThan(hereMs(250))
    }
  })
})

/** Cost for this process, the best of five measurements. */
const costOf = (work: () => unknown): number =>
  Math.min(
    ...[1, 2, 3, 4, 5].map(() => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )

describe('an endpoint with larger bodies', () => {
  const config = parseConfig({ SESSION_SECRET: 'a secret of the test run that is long enough' })
  const bulk = endpoint({
    id: 'createThings',
    method: 'POST',
    path: '/things/bulk',
    scope: 'targets:write',
    about: 'engagement',
    origin: 'extension',
    summary: 'x',
    body: closedObject({ text: Lines('a thing a line') }),
    bodyLimits: { bytes: LINES_BODY_BYTES, keys: 10_000 },
    reply: Type.String(),
  })

  test('has its own limit of bytes, whatever the setting is, except on public endpoints', () => {
    expect(bodyLimitOf(bulk as Endpoint, 'key', config)).toBe(LINES_BODY_BYTES)
    expect(bodyLimitOf(bulk as Endpoint, 'key', { ...config, BODY_LIMIT_BYTES: 1_024 })).toBe(LINES_BODY_BYTES)
    expect(bodyLimitOf(bulk as Endpoint, 'auth', config)).toBe(16_384)
    expect(bodyLimitOf({ ...(bulk as Endpoint), scope: 'public' }, 'web', config)).toBe(16_384)
    expect(bodyLimitOf({ scope: bulk.scope, consumes: undefined }, 'key', config)).toBe(config.BODY_LIMIT_BYTES)
  })

  test('has its own limit of keys', () => {
    const bodyWith = (keys: number) =>
      Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1]))))
    expect(Object.keys(parseJsonObject(bodyWith(10_000), 10_000))).toHaveLength(10_000)
    expect(() => parseJsonObject(bodyWith(10_001), 10_000)).toThrow(expect.objectContaining({ status: 400 }))
    expect(() => parseJsonObject(bodyWith(2_001))).toThrow(expect.objectContaining({ status: 400 }))
  })

  test('reads the worst body of its size in less than 50 ms for each MiB', () => {
    const { body } = requestParser(bulk)
    const fill = (unit: string) =>
      unit.repeat(
        Math.floor((LINES_BODY_BYTES - OTHER_FIELDS_BYTES) / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))),
      )
    for (const unit of ['a', '\n', '\u{1f600}', 'e\u0301', '\u0001', '\\', 'a\n']) {
      const bytes = Buffer.from(JSON.stringify({ text: fill(unit) }))
      expect(bytes.length).toBeLessThanOrEqual(LINES_BODY_BYTES)
      const took = costOf(() => body(parseJsonObject(bytes, 10_000)))
      expect(took, JSON.stringify(unit)).toBeLessThan(hereMs((50 * LINES_BODY_BYTES) / 1_048_576))
    }
  })
})
