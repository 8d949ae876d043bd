/** A place that the specification leaves open, in its own words, and the rows of open-points.ts that decide it. */
export interface SpecGap {
  section: number
  quote: string
  decidedBy: readonly number[]
}

/** Every sentence of the specification that ends in "not shown", in its order. */
export const SPEC_GAPS: readonly SpecGap[] = [
  {
    section: 1,
    quote:
      'Behaviour of engagements, targets, scans, tasks, wiki pages and saved API requests beyond their scope names: not shown.',
    decidedBy: [1, 3, 4, 5],
  },
  {
    section: 2,
    quote: 'Fields of targets, scan results, tasks, wiki pages and saved API requests: not shown.',
    decidedBy: [1],
  },
  {
    section: 2,
    quote: 'Other allowed values of `plan`, invitation `status` and engagement `status`: not shown.',
    decidedBy: [4, 6, 7],
  },
  { section: 3, quote: 'Transitions of invitation status (acceptance, expiry): not shown.', decidedBy: [7, 8, 9] },
  { section: 3, quote: 'Transitions of engagement status: not shown.', decidedBy: [4] },
  {
    section: 4,
    quote:
      'Engagement endpoints beyond these two, required scope, required fields and the sortable and filterable fields of each list: not shown.',
    decidedBy: [2, 3, 4, 5],
  },
  { section: 4, quote: 'Whether the health endpoint needs an API key: not shown.', decidedBy: [21] },
  { section: 4, quote: 'Request and response payload of the billing webhook: not shown.', decidedBy: [26] },
  {
    section: 4,
    quote: 'Endpoints for targets, scans, tasks, wiki pages and saved API requests: not shown.',
    decidedBy: [1],
  },
  {
    section: 4,
    quote: 'Endpoints for creating, listing and deleting API keys (they are managed in the web interface): not shown.',
    decidedBy: [24],
  },
  {
    section: 4,
    quote: 'Cursor parameters of cursor-based pagination (only `page` and `perPage` are given): not shown.',
    decidedBy: [25],
  },
  { section: 5, quote: 'Scope needed by engagement endpoints: not shown.', decidedBy: [2] },
  { section: 6, quote: 'Events emitted by the service to API clients: not shown.', decidedBy: [30] },
  {
    section: 6,
    quote: 'Kinds and payload shapes of the inbound provider notifications: not shown.',
    decidedBy: [26, 27],
  },
  {
    section: 7,
    quote: 'Status code and error code returned when a role change targets an owner: not shown.',
    decidedBy: [10, 11],
  },
  { section: 7, quote: 'Which invalid input yields 400 and which yields 422: not shown.', decidedBy: [12, 13, 17] },
  { section: 8, quote: 'Numeric rate limit and window length: not shown.', decidedBy: [18, 19] },
  { section: 8, quote: 'Other limits such as body size or field length: not shown.', decidedBy: [17, 32, 37] },
  {
    section: 9,
    quote: 'Length of the deprecation period and how deprecation is signalled to clients: not shown.',
    decidedBy: [31],
  },
]
