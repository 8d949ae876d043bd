import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import { ConfigurationError } from '../../../src/platform/errors.ts'

const BASE = { SESSION_SECRET: 'a secret of the test run that is long enough' }

/** The lines with which a start is refused; empty if it is not. */
const refusal = (env: Record<string, string>): readonly string[] => {
  try {
    parseConfig({ ...BASE, ...env })
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines
    throw error
  }
}

describe('the settings of webhooks and of version 1', () => {
  test('W6: billing without its secret does not start', () => {
    const line = 'BILLING_WEBHOOK_SECRET: is missing; BILLING_PROVIDER=stripe needs it to verify notifications'
    expect(refusal({ BILLING_PROVIDER: 'stripe' })).toEqual([line])
    expect(refusal({ BILLING_PROVIDER: 'stripe', BILLING_WEBHOOK_SECRET: '' })).toEqual([line])
  })

  test('W1: a secret that is empty next to a comma, short, or has a line break or a space around it is refused', () => {
    for (const secret of [
      'a,',
      ',whsec_one_of_two',
      'short',
      'whsec_one\n',
      ' whsec_one',
      'whsec_one, whsec_two',
      'whsec_one,whsec_two,whsec_three',
    ]) {
      for (const name of ['BILLING_WEBHOOK_SECRET', 'CODE_HOSTING_WEBHOOK_SECRET']) {
        const lines = refusal({ [name]: secret })
        expect([secret, lines.length, lines[0]?.startsWith(`${name}: `)]).toEqual([secret, 1, true])
        expect(lines[0]).not.toContain('whsec')
      }
    }
  })

  test('a provider without an adapter is refused', () => {
    expect(refusal({ BILLING_PROVIDER: 'paypal', BILLING_WEBHOOK_SECRET: 'whsec_test' })).toEqual([
      'BILLING_PROVIDER: must be one of stripe',
    ])
  })

  test('times without zone or day, and an end before the deprecation, are refused', () => {
    for (const time of [
      'soon',
      '2027-06-30',
      '2027-06-30T00:00:00',
      '2027-02-30T00:00:00Z',
      '2027-13-01T00:00:00Z',
      '1893456000',
      '2027-06-30 00:00:00Z',
    ]) {
      for (const name of ['API_V1_DEPRECATED_AT', 'API_V1_SUNSET_AT']) {
        expect([time, refusal({ [name]: time })]).toEqual([
          time,
          [`${name}: must be a time with its zone, such as 2027-06-30T00:00:00Z`],
        ])
      }
    }
    const at = (deprecated: string, sunset: string) =>
      refusal({ API_V1_DEPRECATED_AT: deprecated, API_V1_SUNSET_AT: sunset })
    expect(at('2027-06-30T00:00:00Z', '2026-06-30T00:00:00Z')).toEqual([
      'API_V1_SUNSET_AT: must be later than API_V1_DEPRECATED_AT',
    ])
    expect(at('2027-06-30T00:00:00Z', '2027-06-30T00:30:00+01:00').length).toBe(1)
    expect(at('2026-06-30T00:00Z', '2027-06-30T00:00:00.000+02:00')).toEqual([])
  })

  test('C3: origins that no browser sends are refused', () => {
    const odd = [
      'null',
      'example.com',
      '*.example.com',
      'https://*',
      'https://example.com/',
      'https://EXAMPLE.com',
      'https://example.com:443',
      'ftp://example.com',
    ]
    for (const origin of [...odd, '*,https://example.com', 'https://a.test,', 'https://u@a.test']) {
      expect([origin, refusal({ CORS_ORIGINS: origin }).length]).toEqual([origin, 1])
    }
    for (const origins of ['*', 'https://a.test', 'https://a.test, http://localhost:5173', 'http://[::1]:3000'])
      expect(refusal({ CORS_ORIGINS: origins })).toEqual([])
  })
})
