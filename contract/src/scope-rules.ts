import Type from 'typebox'
import { closedObject, endpoint, Id, list, Markdown, NullableString, OneOf, one, Timestamp } from './endpoint.ts'
import { AnyOf, declareList, LINES_BODY_BYTES, Lines, OneId, PartOfText } from './lists.ts'

export const SCOPE_EFFECTS = ['allow', 'deny', 'caution'] as const
export const SCOPE_RULE_KINDS = ['domain', 'wildcard', 'ip', 'cidr', 'range', 'url'] as const
export const VERDICTS = ['in', 'out', 'caution', 'unknown'] as const

const ARCHIVED = 'This engagement is archived: reopen it first.'
const KNOWN = 'There is a rule with this pattern already.'
const LIMIT = 'An engagement has at most 2000 scope rules (SCOPE_RULE_LIMIT).'
const WHO_WRITES = 'Needs what writing the engagement needs; in the web interface its lead and its team may do this as well.'

const Note = Markdown(2_000)
/** Anything that a line can hold: what is no pattern is refused with a reason. */
const Pattern = Type.String({ minLength: 1, maxLength: 4_096, format: 'single-line', examples: ['*.contoso.example', '10.20.0.0/16', '10.0.0.1-50'] })

export const ScopeRule = closedObject({
  id: Id('scp'),
  engagementId: Id('eng'),
  effect: OneOf(SCOPE_EFFECTS),
  pattern: Type.String({ description: 'canonical' }),
  kind: OneOf(SCOPE_RULE_KINDS, { description: 'told from the pattern' }),
  note: Note,
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const EXAMPLE_RULE = {
  id: 'scp_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  effect: 'allow',
  pattern: '*.contoso.example',
  kind: 'wildcard',
  note: 'Contract, annex A.',
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
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
  description: `${WHO_WRITES} A wildcard \`*.example.com\` covers every name below, not \`example.com\` itself. A URL covers its path and everything below, with or without \`/*\` at its end; any other pattern sign is refused, since it could never match. Every target of the engagement is judged anew before this answers.`,
  body: closedObject({
    engagementId: Id('eng'),
    effect: OneOf(SCOPE_EFFECTS),
    pattern: Pattern,
    kind: Type.Optional(
      OneOf(['domain'], { description: '`domain`: the pattern is a name, even if it looks like the id of an app, such as `com.example.app`' }),
    ),
    note: Type.Optional(Note),
  }),
  reply: one(ScopeRule),
  status: 201,
  conflicts: [ARCHIVED, KNOWN, LIMIT],
  example: {
    body: { engagementId: EXAMPLE_RULE.engagementId, effect: 'allow', pattern: '*.contoso.example', note: 'Contract, annex A.' },
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
  description: `${WHO_WRITES} Every target of the engagement is judged anew before this answers.`,
  params: OfRule,
  body: closedObject({
    effect: Type.Optional(OneOf(SCOPE_EFFECTS)),
    note: Type.Optional(Note),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(ScopeRule),
  conflicts: [ARCHIVED, 'Somebody else changed this scope rule in the meantime. Read it again, then repeat the change.'],
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
  description: `${WHO_WRITES} Every target of the engagement is judged anew before this answers.`,
  params: OfRule,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('scp') })),
  conflicts: [ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_RULE.id } } },
})

const RuleLine = closedObject({
  line: Type.Integer({ minimum: 1 }),
  input: Type.String(),
  outcome: OneOf(['created', 'known', 'rejected']),
  scopeRuleId: NullableString('null where it was rejected'),
  reason: NullableString('why it was rejected'),
})

export const createScopeRules = endpoint({
  id: 'createScopeRules',
  method: 'POST',
  path: '/scope-rules/bulk',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  readBy: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create scope rules from pasted lines.',
  description: `${WHO_WRITES} A pattern a line; what cannot be read is rejected with a reason, the other lines are taken. A pattern that has a rule already is \`known\`, whatever the effect of that rule.`,
  body: closedObject({ engagementId: Id('eng'), effect: OneOf(SCOPE_EFFECTS), text: Lines('a pattern a line') }),
  bodyLimits: { bytes: LINES_BODY_BYTES },
  reply: one(
    closedObject({
      created: Type.Integer({ minimum: 0 }),
      known: Type.Integer({ minimum: 0 }),
      rejected: Type.Integer({ minimum: 0 }),
      lines: Type.Array(RuleLine),
    }),
  ),
  status: 201,
  conflicts: [ARCHIVED, LIMIT],
  example: {
    body: { engagementId: EXAMPLE_RULE.engagementId, effect: 'allow', text: '# annex A\n*.contoso.example\n10.0.0.300' },
    reply: {
      data: {
        created: 1,
        known: 0,
        rejected: 1,
        lines: [
          { line: 2, input: '*.contoso.example', outcome: 'created', scopeRuleId: EXAMPLE_RULE.id, reason: null },
          { line: 3, input: '10.0.0.300', outcome: 'rejected', scopeRuleId: null, reason: 'this is no address, and a name does not end in a number' },
        ],
      },
    },
  },
})

const Judgement = closedObject({
  value: Type.String(),
  kind: NullableString('null for what is nothing'),
  canonical: NullableString('null for what is nothing'),
  verdict: OneOf([...VERDICTS, 'invalid']),
  scopeRuleId: NullableString('the rule that decided; null where none covers the value'),
  reason: Type.String({ description: 'for people' }),
})

export const checkScope = endpoint({
  id: 'checkScope',
  method: 'POST',
  path: '/scope-rules/check',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Ask what the scope rules of an engagement say about values.',
  description: 'Nothing is stored. The answer has the order of the question.',
  body: closedObject({
    engagementId: Id('eng'),
    values: Type.Array(Type.String({ maxLength: 4_096 }), { minItems: 1, maxItems: 1_000 }),
  }),
  reply: list(Judgement),
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
          reason: 'allowed by *.contoso.example',
        },
        {
          value: '127.1',
          kind: null,
          canonical: null,
          verdict: 'invalid',
          scopeRuleId: null,
          reason: 'an address is written as four decimal numbers; programs read this one in different ways, browsers as 127.0.0.1',
        },
      ],
    },
  },
})
