import { hostOf, line, url } from './config-values.ts'
import type { Variable } from './variable.ts'

/** Settings of mail. */
export const MAIL_VARIABLES = {
  SMTP_URL: {
    doc: 'Mail server, such as `smtp://user:password@mail.example.com:587`; without it, emails are written to files under `DATA_DIR`.',
    secret: true,
    parse: url('smtp:', 'smtps:'),
  },
  MAIL_FROM: {
    doc: 'Sender of emails.',
    fallback: (read) => `Sortie <no-reply@${hostOf(read('FRONTEND_URL'))}>`,
    parse: line(320),
  },
} as const satisfies Record<string, Variable<unknown>>
