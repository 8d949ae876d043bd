import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRefusal } from '../../src/features/scope/rules/host.ts'
import { type Recognised, recognise } from '../../src/features/scope/rules/recognise.ts'
import { fingerprintOf, orderKeyOf, subjectOf } from '../../src/features/targets/target-keys.ts'
import { RECOGNITION_CASES } from '../../src/published/recognition-cases.ts'

const read = (text: string): Recognised => {
  const value = recognise(text)
  if (isRefusal(value)) throw new Error(value.refused)
  return value
}

test('addresses sort as addresses, networks before their addresses, ports as numbers, and before everything else', () => {
  const sorted = [
    '9.0.0.1',
    '10.0.0.0/8',
    '10.0.0.0',
    '10.0.0.0:80',
    '10.0.0.0:443',
    '10.0.0.0:53/udp',
    '10.0.0.10',
    '::2',
    '2001:db8::/32',
    '2001:db8::1',
  ]
  const texts = ['a.example', 'b.example:80', 'b.example:443', 'https://10.0.0.1/']
  const keys = [...sorted, ...texts].map((text) => orderKeyOf(read(text)))
  expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(new Set(keys).size).toBe(keys.length)
})

test('a key has at most 400 bytes and no half characters', () => {
  for (const canonical of ['a'.repeat(4_096), 'ü'.repeat(4_096), '\u{1f600}'.repeat(2_000)]) {
    const key = orderKeyOf({ kind: 'other', canonical })
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(400)
    expect(Buffer.byteLength(key)).toBeGreaterThan(395)
    expect(key.isWellFormed()).toBe(true)
  }
})

test('a stored value has the same verdict as the entered one', () => {
  const values = RECOGNITION_CASES.flatMap((each) => ('refused' in each ? [] : [read(each.value)]))
  for (const value of values) expect(subjectOf(value.kind, value.canonical, orderKeyOf(value))).toEqual(value.subject)
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.domain(), fc.ipV6(), fc.ipV4()), (text) => {
      const value = recognise(text)
      fc.pre(!isRefusal(value))
      if (!isRefusal(value)) expect(subjectOf(value.kind, value.canonical, orderKeyOf(value))).toEqual(value.subject)
    }),
  )
  expect(subjectOf('cloud', 'arn:aws:s3:::bucket', 't')).toBeUndefined()
})

test('a fingerprint differs by engagement, kind and canonical form', () => {
  const identities = [
    fingerprintOf('eng_x', 'domain', 'a'),
    fingerprintOf('eng_y', 'domain', 'a'),
    fingerprintOf('eng_x', 'other', 'a'),
    fingerprintOf('eng_x', 'domain', 'b'),
  ]
  expect(new Set(identities).size).toBe(4)
  expect(fingerprintOf('eng_x', 'domain', 'example.com')).toBe(
    'd21acbf1600ccd3295c2e006fe0c35c4fdcbefc79427d6f86f93b1b5c27edea5',
  )
})
