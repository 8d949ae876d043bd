import { choice, signingSecrets } from './config-values.ts'
import type { Variable } from './variable.ts'

/** Settings of notifications from other services. */
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
} as const satisfies Record<string, Variable<unknown>>
