import { choice, integer, secondsList, signingSecrets } from './config-values.ts'
import type { Variable } from './variable.ts'

/** Settings of notifications from other services, and of those to them. */
export const WEBHOOKS_VARIABLES = {
  BILLING_PROVIDER: {
    doc: 'Payment provider whose notifications are accepted: `stripe`; if unset, billing is off.',
    parse: choice('stripe'),
  },
  BILLING_WEBHOOK_SECRET: {
    doc: 'Signing secret of the billing notifications; two separated by a comma during rotation.',
    secret: true,
    parse: signingSecrets,
  },
  CODE_HOSTING_WEBHOOK_SECRET: {
    doc: 'Signing secret of the code-hosting notifications (GitHub), or two separated by a comma; if unset, code hosting is off.',
    secret: true,
    parse: signingSecrets,
  },
  WEBHOOK_RETRY_SECONDS: {
    doc: 'Seconds before each further attempt of an outgoing webhook, separated by commas; after the last one it has failed.',
    fallback: '5,300,1800,7200,18000,36000,50400,72000,86400',
    parse: secondsList,
  },
  WEBHOOK_DISABLE_AFTER_HOURS: {
    doc: 'Hours of failures after which an outgoing webhook is disabled.',
    fallback: '120',
    parse: integer(1, 8_760),
  },
} as const satisfies Record<string, Variable<unknown>>
