import { integer } from './config-values.ts'
import type { Variable } from './variable.ts'

/** Settings that limit requests, load and what is stored. */
export const LIMITS_VARIABLES = {
  RATE_LIMIT_MAX: {
    doc: 'Requests per window and API key; all keys of an organization together have five times that.',
    fallback: '600',
    parse: integer(1, 1_000_000_000),
  },
  RATE_LIMIT_WINDOW_SECONDS: { doc: 'Length of the window in seconds.', fallback: '60', parse: integer(1, 86_400) },
  RATE_LIMIT_ANONYMOUS_MAX: {
    doc: 'Requests per window and client address without a valid key or session.',
    fallback: '120',
    parse: integer(1, 1_000_000_000),
  },
  INVITATION_LIMIT_PER_HOUR: {
    doc: 'Invitation emails that one organization may send in an hour.',
    fallback: '200',
    parse: integer(1, 1_000_000),
  },
  CONNECTIONS_PER_ADDRESS: {
    doc: 'Connections that one client address (IPv6: one /64) may have open; proxies in `TRUST_PROXY` have no such limit.',
    fallback: '512',
    parse: integer(1, 100_000),
  },
  OVERLOAD_MAX_REQUESTS: {
    doc: 'Requests that a process handles at the same time; further ones get 503.',
    fallback: '64',
    parse: integer(1, 100_000),
  },
  OVERLOAD_DELAY_MS: {
    doc: 'Average delay of the event loop, in milliseconds, above which requests are refused with 503; `0` for never.',
    fallback: '200',
    parse: integer(0, 60_000),
  },
  OVERLOAD_HEAP_MB: {
    doc: 'Used JavaScript heap of a process, in MB, above which requests are refused with 503; if unset, 90 % of the heap that Node allows.',
    parse: integer(16, 1_048_576),
  },
  BODY_LIMIT_BYTES: {
    doc: 'Largest request body in bytes; 16 KiB without a session or key.',
    fallback: '1048576',
    parse: integer(1_024, 104_857_600),
  },
  UPLOAD_LIMIT_BYTES: {
    doc: 'Largest file that can be uploaded, in bytes.',
    fallback: '1073741824',
    parse: integer(1_024, 999_999_999_999),
  },
  ENGAGEMENT_TRASH_DAYS: {
    doc: 'Days that a deleted engagement stays in the trash, where the owner and admins can restore it, before it is deleted for good.',
    fallback: '30',
    parse: integer(1, 3_650),
  },
  RESULT_LIMIT: { doc: 'Results that one engagement may have.', fallback: '1000000', parse: integer(1, 100_000_000) },
  STORAGE_LIMIT_BYTES_PER_ORGANIZATION: {
    doc: 'Bytes that one organization may store: files, page texts with their history, and requests with their runs.',
    fallback: '21474836480',
    parse: integer(1_024, 999_999_999_999),
  },
  TARGET_LIMIT: { doc: 'Targets that one engagement may have.', fallback: '100000', parse: integer(1, 10_000_000) },
  SCOPE_RULE_LIMIT: { doc: 'Scope rules that one engagement may have.', fallback: '2000', parse: integer(1, 100_000) },
  FINDING_LIMIT: { doc: 'Findings that one engagement may have.', fallback: '10000', parse: integer(1, 1_000_000) },
  TASK_LIMIT: { doc: 'Tasks that one engagement may have.', fallback: '10000', parse: integer(1, 1_000_000) },
  WIKI_PAGE_LIMIT: {
    doc: "Wiki pages that one engagement may have, and the organization's own wiki.",
    fallback: '10000',
    parse: integer(1, 100_000),
  },
} as const satisfies Record<string, Variable<unknown>>
