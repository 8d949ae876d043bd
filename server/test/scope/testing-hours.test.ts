import { describe, expect, test } from 'vitest'
import { isWithinTestingHours, outsideTestingHours } from '../../src/features/engagements/details/testing-hours.ts'

const NEVER_ENDS = { starts_on: null, ends_on: null }
const hours = (timeZone: string, days: number[], from: string, to: string) => ({
  ...NEVER_ENDS,
  testing_hours: { timeZone, windows: [{ days, from, to }] },
})
const at = (moment: string) => Date.parse(moment)

const FRIDAY_NIGHT = hours('UTC', [5], '20:00', '06:00')
const SUNDAY_NIGHT = hours('UTC', [7], '22:00', '02:00')
const BERLIN_MORNING = hours('Europe/Berlin', [1], '00:00', '01:00')
const BERLIN_SUNDAY = hours('Europe/Berlin', [7], '01:00', '04:00')
const NOVEMBER = { starts_on: '2026-11-10', ends_on: '2026-11-20', testing_hours: null }
const LAST_NIGHT = {
  ...NOVEMBER,
  testing_hours: { timeZone: 'UTC', windows: [{ days: [5], from: '20:00', to: '06:00' }] },
}

describe('testing hours', () => {
  test.each<[string, Parameters<typeof isWithinTestingHours>[0], string, boolean]>([
    ['begin at their minute', FRIDAY_NIGHT, '2026-11-20T19:59:59Z', false],
    ['begin at their minute', FRIDAY_NIGHT, '2026-11-20T20:00:00Z', true],
    ['reach into the next day', FRIDAY_NIGHT, '2026-11-21T05:59:59Z', true],
    ['end at their minute', FRIDAY_NIGHT, '2026-11-21T06:00:00Z', false],
    ['are of the day that they begin on', FRIDAY_NIGHT, '2026-11-20T05:00:00Z', false],
    ['reach from Sunday into Monday', SUNDAY_NIGHT, '2026-11-23T01:59:00Z', true],
    ['reach from Sunday into Monday, no further', SUNDAY_NIGHT, '2026-11-23T02:00:00Z', false],
    ['are local times: it is Monday in Berlin', BERLIN_MORNING, '2026-11-22T23:30:00Z', true],
    ['are local times: it is one in Berlin', BERLIN_MORNING, '2026-11-23T00:30:00Z', false],
    ['are local times in summer as well', BERLIN_MORNING, '2026-07-05T22:30:00Z', true],
    ['when the clock goes forward: 01:59 in Berlin', BERLIN_SUNDAY, '2026-03-29T00:59:00Z', true],
    ['when the clock goes forward: 03:00 follows', BERLIN_SUNDAY, '2026-03-29T01:00:00Z', true],
    ['when the clock goes forward: 04:00 ends it', BERLIN_SUNDAY, '2026-03-29T02:00:00Z', false],
    ['when the clock goes back: 02:30 the first time', BERLIN_SUNDAY, '2026-10-25T00:30:00Z', true],
    ['when the clock goes back: 02:30 the second time', BERLIN_SUNDAY, '2026-10-25T01:30:00Z', true],
    ['when the clock goes back: 04:00 ends it', BERLIN_SUNDAY, '2026-10-25T03:00:00Z', false],
    ['are any time where none are set, from the first day', NOVEMBER, '2026-11-10T00:00:00Z', true],
    ['not the day before the first', NOVEMBER, '2026-11-09T23:59:59Z', false],
    ['to the end of the last day', NOVEMBER, '2026-11-20T23:59:59Z', true],
    ['not the day after the last', NOVEMBER, '2026-11-21T00:00:00Z', false],
    ['of the last day end with it, though their window reaches over', LAST_NIGHT, '2026-11-21T01:00:00Z', false],
  ])('%s', (_, times, moment, expected) => {
    expect(isWithinTestingHours(times, at(moment))).toBe(expected)
  })

  test.each<[string, Parameters<typeof isWithinTestingHours>[0], string, string]>([
    ['later that day', FRIDAY_NIGHT, '2026-11-20T12:00:00Z', '2026-11-20 at 20:00 (UTC)'],
    ['the week after', FRIDAY_NIGHT, '2026-11-21T07:00:00Z', '2026-11-27 at 20:00 (UTC)'],
    ['in local time', BERLIN_MORNING, '2026-11-22T12:00:00Z', '2026-11-23 at 00:00 (Europe/Berlin)'],
    ['on the first day', NOVEMBER, '2026-10-01T12:00:00Z', '2026-11-10 at 00:00 (UTC)'],
    ['on the first day that has one', LAST_NIGHT, '2026-10-01T12:00:00Z', '2026-11-13 at 20:00 (UTC)'],
  ])('a refused caller learns when the next window starts: %s', (_, times, moment, next) => {
    expect(outsideTestingHours(times, at(moment))).toContain(`the next window begins on ${next}.`)
  })

  test('a refused caller after the last day learns that there is no further window', () => {
    expect(outsideTestingHours(NOVEMBER, at('2026-12-01T00:00:00Z'))).toContain('there is no further window')
    expect(outsideTestingHours(NOVEMBER, at('2026-11-15T12:00:00Z'))).toBeNull()
  })
})
