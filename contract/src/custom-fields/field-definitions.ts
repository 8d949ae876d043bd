import Type from 'typebox'
import { closedObject, endpoint, Id, Line, list, OneOf, one, Text, Timestamp } from '../core/endpoint.ts'
import { FIELD_KEY_PATTERN, FIELD_OBJECT_TYPES, FIELD_TYPES, MAX_FIELDS } from './fields.ts'

const Key = Type.String({ pattern: FIELD_KEY_PATTERN, maxLength: 40, examples: ['cost_center'] })
const Label = Line(80, { examples: ['Cost center'] })

const changeable = {
  label: Label,
  options: Type.Array(Line(200), {
    maxItems: 100,
    uniqueItems: true,
    description: 'of `choice` and `choices`; a removed one stays readable where it is set',
  }),
  required: Type.Boolean({ description: 'checked when a finding is sent to review, never on save' }),
  help: Text(500),
  position: Type.Integer({ minimum: 0, maximum: 9_999, description: 'order among the fields of its object type' }),
}

export const FieldDefinition = closedObject({
  id: Id('fdn'),
  objectType: OneOf(FIELD_OBJECT_TYPES),
  key: Key,
  type: OneOf(FIELD_TYPES),
  ...changeable,
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const EXAMPLE = {
  id: 'fdn_01jd7w2v4pf1y8m3c6k9t0r5xz',
  objectType: 'engagement',
  key: 'cost_center',
  type: 'text',
  label: 'Cost center',
  options: [],
  required: false,
  help: 'As on the invoice.',
  position: 0,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

const OfDefinition = closedObject({ definitionId: Id('fdn') })

export const listFieldDefinitions = endpoint({
  id: 'listFieldDefinitions',
  method: 'GET',
  path: '/field-definitions',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  summary: 'List the custom fields of one object type or of all, in their order.',
  query: closedObject({ objectType: Type.Optional(OneOf(FIELD_OBJECT_TYPES)) }),
  reply: list(FieldDefinition),
  example: { reply: { data: [EXAMPLE] } },
})

export const createFieldDefinition = endpoint({
  id: 'createFieldDefinition',
  method: 'POST',
  path: '/field-definitions',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Define a custom field.',
  description:
    'Object type, key and type never change. If a field with the same key and type was deleted within the last 30 days, its values come back. `options` are needed for `choice` and `choices`, and refused for other types.',
  body: closedObject({
    objectType: OneOf(FIELD_OBJECT_TYPES),
    key: Key,
    type: OneOf(FIELD_TYPES),
    ...Type.Partial(closedObject(changeable)).properties,
    label: Label,
  }),
  reply: one(FieldDefinition),
  status: 201,
  conflicts: [
    'This object type already has a field with this key.',
    `An object type has at most ${MAX_FIELDS} custom fields.`,
  ],
  example: {
    body: { objectType: 'engagement', key: 'cost_center', type: 'text', label: 'Cost center' },
    reply: { data: EXAMPLE },
  },
})

export const updateFieldDefinition = endpoint({
  id: 'updateFieldDefinition',
  method: 'PATCH',
  path: '/field-definitions/:definitionId',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Change a custom field.',
  params: OfDefinition,
  body: closedObject({
    ...Type.Partial(closedObject(changeable)).properties,
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  reply: one(FieldDefinition),
  conflicts: ['This field was changed in the meantime. Read it again, then repeat the change.'],
  example: { body: { required: true }, reply: { data: { ...EXAMPLE, required: true } } },
})

export const deleteFieldDefinition = endpoint({
  id: 'deleteFieldDefinition',
  method: 'DELETE',
  path: '/field-definitions/:definitionId',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Delete a custom field. Its values are hidden, and deleted after 30 days.',
  params: OfDefinition,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('fdn') })),
  example: { reply: { data: { deleted: true, id: EXAMPLE.id } } },
})
