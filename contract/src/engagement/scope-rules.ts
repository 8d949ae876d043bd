import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Markdown,
  Nullable,
  NullableString,
  NullableTimestamp,
  one,
  OneOf,
  Timestamp,
} from '../core/endpoint.ts'
import { AnyOf, declareList, Lines, LINES_BODY_BYTES, MAX_LINES, OneId, PartOfText, TrashFlag } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED, SCOPE_RULE_KINDS, VERDICTS } from '../core/values.ts'
import { ENGAGEMENT_STATUSES } from './engagements.ts'

export const SCOPE_EFFECTS = ['allow', 'deny', 'caution'] as const

const KNOWN = 'A rule with this pattern already exists.'
const LIMIT = 'An engagement has at most 2000 scope rules (SCOPE_RULE_LIMIT).'
export const WHO_WRITES =
  'Needs permission to write the engagement; in the web interface its lead and team may do this as well.'

const Note = Markdown(2_000)
/** Accepts every line: an invalid pattern is refused with a reason. */
const Pattern = Type.String({
  minLength: 1,
  maxLength: 4_096,
  format: 'single-line',
  examples: ['*.contoso.example', '10.20.0.0/16', '10.0.0.1-50', 'vpn.contoso.example:8443'],
})

export const ScopeRule = closedObject({
  id: Id('scp'),
  engagementId: Id('eng'),
  effect: OneOf(SCOPE_EFFECTS),
  pattern: Type.String({ description: 'canonical' }),
  kind: OneOf(SCOPE_RULE_KINDS, { description: 'detected from the pattern' }),
  note: Note,
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  trashedAt: NullableTimestamp('when it was moved to the trash, where it decides nothing'),
})

export const EXAMPLE_RULE = {
  id: 'scp_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  effect: 'allow',
  pattern: '*.contoso.example',
  kind: 'wildcard',
  note: 'Contract, annex A.',
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
  trashedAt: null,
}

export const scopeRuleList = declareList({
  name: 'scope-rules',
  item: ScopeRule,
  sorts: ['createdAt', 'pattern'],
  filters: {
    engagementId: OneId('eng'),
    effect: AnyOf(SCOPE_EFFECTS),
    kind: AnyOf(SCOPE_RULE_KINDS),
    q: PartOfText('part of the pattern or of the note'),
    trashed: TrashFlag,
  },
})

export const createScopeRule = endpoint({
  id: 'createScopeRule',
  method: 'POST',
  path: '/scope-rules',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  readBy: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create a scope rule.',
  description: `${WHO_WRITES} A wildcard \`*.example.com\` covers every name below, not \`example.com\` itself. \`example.com:8443\`, \`10.0.0.1:53/udp\`, \`[2001:db8::1]:22\` and \`*.example.com:443/tcp\` cover one port, without a protocol by TCP and UDP, and the URLs at that port. A URL covers its path and everything below, with or without \`/*\` at its end; any other pattern character is refused, since it could never match. Every target of the engagement is re-evaluated before this responds.`,
  body: closedObject({
    engagementId: Id('eng'),
    effect: OneOf(SCOPE_EFFECTS),
    pattern: Pattern,
    kind: Type.Optional(
      OneOf(['domain', 'service'], {
        description:
          '`domain`: the pattern is a name, even if it looks like the id of an app, such as `com.example.app`; `service`: the same with a port',
      }),
    ),
    note: Type.Optional(Note),
  }),
  reply: one(ScopeRule),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, KNOWN, LIMIT],
  example: {
    body: {
      engagementId: EXAMPLE_RULE.engagementId,
      effect: 'allow',
      pattern: '*.contoso.example',
      note: 'Contract, annex A.',
    },
    reply: { data: EXAMPLE_RULE },
  },
})

export const listScopeRules = endpoint({
  id: 'listScopeRules',
  method: 'GET',
  path: '/scope-rules',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List scope rules, newest first unless asked otherwise.',
  query: scopeRuleList.query,
  reply: scopeRuleList.reply,
  example: { reply: { data: [EXAMPLE_RULE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

const OfRule = closedObject({ scopeRuleId: Id('scp') })

export const updateScopeRule = endpoint({
  id: 'updateScopeRule',
  method: 'PATCH',
  path: '/scope-rules/:scopeRuleId',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  readBy: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change the effect or the note of a scope rule.',
  description: `${WHO_WRITES} Every target of the engagement is re-evaluated before this responds.`,
  params: OfRule,
  body: closedObject({
    effect: Type.Optional(OneOf(SCOPE_EFFECTS)),
    note: Type.Optional(Note),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(ScopeRule),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    'Someone else changed this scope rule in the meantime. Reload it, then repeat the change.',
  ],
  example: { body: { effect: 'caution' }, reply: { data: { ...EXAMPLE_RULE, effect: 'caution' } } },
})

export const deleteScopeRule = endpoint({
  id: 'deleteScopeRule',
  method: 'DELETE',
  path: '/scope-rules/:scopeRuleId',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  readBy: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a scope rule.',
  description: `${WHO_WRITES} It stays in the trash for 30 days and has no effect there. Every target of the engagement is re-evaluated before this responds.`,
  params: OfRule,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('scp') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_RULE.id } } },
})

const Existing = Nullable(
  { scopeRuleId: Id('scp'), effect: OneOf(SCOPE_EFFECTS) },
  'the existing rule with this pattern; null if none',
)

const LetterRule = closedObject({
  line: Type.Integer({ minimum: 1 }),
  source: Type.String({ description: 'the line as it is written, cut at 400 characters' }),
  effect: Type.Unsafe<(typeof SCOPE_EFFECTS)[number] | null>({
    type: ['string', 'null'],
    enum: [...SCOPE_EFFECTS, null],
    description: 'effect according to headings and words; null if unclear, so that a person has to choose',
  }),
  pattern: NullableString('canonical; null if the line contains no valid pattern'),
  note: Type.String({ description: 'the explanation on the line, and the heading that only names what follows' }),
  reason: NullableString('source of the effect, or why effect or pattern is null'),
  existing: Existing,
})

/** In UTF-16 units. */
const MAX_LETTER = 262_144

export const parseScopeRules = endpoint({
  id: 'parseScopeRules',
  method: 'POST',
  path: '/scope-rules/parse',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Parse a list or letter about scope.',
  description:
    'Nothing is stored. Headings ("Out of scope:"), labels and words in English, German and French give the effect of each line; headings are not rules. A line has the effect `allow` only where a heading or label says so and no word on the line or above it may exclude it. Send the rules that a person has confirmed to `POST /scope-rules/bulk`.',
  body: closedObject({
    engagementId: Id('eng'),
    text: Type.String({ minLength: 1, maxLength: MAX_LETTER, description: 'the list or letter' }),
  }),
  bodyLimits: { bytes: LINES_BODY_BYTES },
  reply: one(closedObject({ rules: Type.Array(LetterRule) })),
  example: {
    body: {
      engagementId: EXAMPLE_RULE.engagementId,
      text: 'In scope:\n*.contoso.example\nOut of scope:\npay.contoso.example (hosted elsewhere)',
    },
    reply: {
      data: {
        rules: [
          {
            line: 2,
            source: '*.contoso.example',
            effect: 'allow',
            pattern: '*.contoso.example',
            note: '',
            reason: 'below “In scope:” (line 1)',
            existing: null,
          },
          {
            line: 4,
            source: 'pay.contoso.example (hosted elsewhere)',
            effect: 'deny',
            pattern: 'pay.contoso.example',
            note: 'hosted elsewhere',
            reason: 'below “Out of scope:” (line 3)',
            existing: null,
          },
        ],
      },
    },
  },
})

const RuleLine = closedObject({
  line: Type.Integer({ minimum: 1, description: 'of `text`, or the place in `rules` counted from 1' }),
  input: Type.String(),
  outcome: OneOf(['created', 'known', 'changed', 'rejected']),
  scopeRuleId: NullableString('null where it was rejected'),
  reason: NullableString('why it was rejected'),
})

const ChosenRule = closedObject({
  effect: OneOf(SCOPE_EFFECTS),
  pattern: Pattern,
  note: Type.Optional(Note),
  replaces: Type.Optional(
    OneOf(SCOPE_EFFECTS, { description: 'the effect of the existing rule with this pattern, which is replaced' }),
  ),
})

export const createScopeRules = endpoint({
  id: 'createScopeRules',
  method: 'POST',
  path: '/scope-rules/bulk',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  readBy: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create many scope rules.',
  description: `${WHO_WRITES} Takes either \`rules\` or \`effect\` and \`text\`. \`rules\` are added all or none: a pattern that has a rule with another effect is 409 unless \`replaces\` names that effect. In \`text\`, one pattern per line, invalid lines are rejected with a reason and the others are added; comments become notes. A line is also rejected if its heading or words are stricter than \`effect\`, or may be, and if a rule with another effect has its pattern: read letters with \`POST /scope-rules/parse\`.`,
  body: closedObject({
    engagementId: Id('eng'),
    effect: Type.Optional(OneOf(SCOPE_EFFECTS)),
    text: Type.Optional(Lines('one pattern per line')),
    rules: Type.Optional(Type.Array(ChosenRule, { minItems: 1, maxItems: MAX_LINES })),
  }),
  bodyLimits: { bytes: LINES_BODY_BYTES, keys: 4 * MAX_LINES + 100 },
  reply: one(
    closedObject({
      created: Type.Integer({ minimum: 0 }),
      known: Type.Integer({ minimum: 0 }),
      changed: Type.Integer({ minimum: 0 }),
      rejected: Type.Integer({ minimum: 0 }),
      lines: Type.Array(RuleLine),
    }),
  ),
  status: 201,
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    LIMIT,
    'There is a rule with this pattern and another effect: change that rule, or say which effect is replaced.',
  ],
  example: {
    body: {
      engagementId: EXAMPLE_RULE.engagementId,
      effect: 'allow',
      text: '# annex A\n*.contoso.example\n10.0.0.300',
    },
    reply: {
      data: {
        created: 1,
        known: 0,
        changed: 0,
        rejected: 1,
        lines: [
          { line: 2, input: '*.contoso.example', outcome: 'created', scopeRuleId: EXAMPLE_RULE.id, reason: null },
          {
            line: 3,
            input: '10.0.0.300',
            outcome: 'rejected',
            scopeRuleId: null,
            reason: 'this is not an address, and a name does not end in a number',
          },
        ],
      },
    },
  },
})

const ScopeCheck = closedObject({
  value: Type.String(),
  kind: NullableString('null if it is not recognized'),
  canonical: NullableString('null if it is not recognized'),
  verdict: OneOf([...VERDICTS, 'invalid']),
  scopeRuleId: NullableString('the rule that decided; null where none covers the value'),
  part: Nullable(
    { value: Type.String({ examples: ['10.20.0.0-10.20.0.9'] }), verdict: OneOf(VERDICTS) },
    'of a network whose parts differ: the part with the strictest verdict; otherwise null',
  ),
  reason: Type.String({ description: 'for people' }),
})

export const SendingState = closedObject({
  status: OneOf(ENGAGEMENT_STATUSES),
  open: Type.Boolean({
    description: 'whether something may be sent now, by the status, the days and the testing hours',
  }),
  reason: NullableString('why not'),
  nextWindow: Nullable(
    {
      day: Type.String({ format: 'date', maxLength: 10, examples: ['2026-11-23'] }),
      time: Type.String({ maxLength: 5, examples: ['08:00'] }),
      timeZone: Type.String({ examples: ['Europe/Berlin'] }),
    },
    'where it is closed: when the next testing hours begin; null if none follow',
  ),
})

export const checkScope = endpoint({
  id: 'checkScope',
  method: 'POST',
  path: '/scope-rules/check',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Evaluate values against the scope rules of an engagement.',
  description:
    'Nothing is stored. Results have the order of the values. `meta.engagement` says whether something may be sent now.',
  body: closedObject({
    engagementId: Id('eng'),
    values: Type.Array(Type.String({ maxLength: 4_096 }), { minItems: 1, maxItems: 1_000 }),
  }),
  reply: closedObject({
    data: Type.Array(ScopeCheck),
    meta: closedObject({ engagement: SendingState }),
  }),
  example: {
    body: { engagementId: EXAMPLE_RULE.engagementId, values: ['https://shop.contoso.example/', '127.1'] },
    reply: {
      data: [
        {
          value: 'https://shop.contoso.example/',
          kind: 'url',
          canonical: 'https://shop.contoso.example/',
          verdict: 'in',
          scopeRuleId: EXAMPLE_RULE.id,
          part: null,
          reason: 'allowed by *.contoso.example',
        },
        {
          value: '127.1',
          kind: null,
          canonical: null,
          verdict: 'invalid',
          scopeRuleId: null,
          part: null,
          reason:
            'an address is written as four decimal numbers; programs read this one in different ways, browsers as 127.0.0.1',
        },
      ],
      meta: { engagement: { status: 'active', open: true, reason: null, nextWindow: null } },
    },
  },
})
