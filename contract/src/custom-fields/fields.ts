import Type from 'typebox'

/** Types of objects that can have custom fields. */
export const FIELD_OBJECT_TYPES = ['client', 'engagement', 'target', 'finding', 'task', 'library_entry'] as const
export const FIELD_TYPES = [
  'text',
  'markdown',
  'number',
  'boolean',
  'date',
  'url',
  'choice',
  'choices',
  'person',
] as const

export type FieldObjectType = (typeof FIELD_OBJECT_TYPES)[number]
export type FieldType = (typeof FIELD_TYPES)[number]

/** Definitions of one type of object. */
export const MAX_FIELDS = 50
export const FIELD_KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$'

/** A value in a request: a person by id; null clears the field. */
export type WrittenFieldValue = string | number | boolean | string[] | null
export type WrittenFields = Record<string, WrittenFieldValue>
/** Values in a response: a person as `{id, name}`. */
export type ShownFields = Record<string, string | number | boolean | string[] | { id: string; name: string }>

/** Custom fields in a response, by key; fields without a value are left out. */
export const Fields = Type.Unsafe<ShownFields>({
  type: 'object',
  additionalProperties: false,
  patternProperties: { [FIELD_KEY_PATTERN]: {} },
  examples: [{ cost_center: '4711' }],
  description: 'custom fields by key (`/field-definitions`); a person is `{id, name}`',
})

/** Custom fields in a request; others keep their values. */
export const FieldsChange = Type.Unsafe<WrittenFields>({
  type: 'object',
  additionalProperties: false,
  maxProperties: MAX_FIELDS,
  patternProperties: {
    [FIELD_KEY_PATTERN]: {
      type: ['string', 'number', 'boolean', 'array', 'null'],
      maxLength: 20_000,
      maxItems: 100,
      items: { type: 'string', maxLength: 200 },
    },
  },
  examples: [{ cost_center: '4711' }],
  description:
    'custom fields by key (`/field-definitions`): others keep their values, `null` clears; a person is the id of a member',
})

/** `field=key:value`, repeatable in a query; a list in the body of a bulk change. */
export const FieldFilter = Type.Unsafe<string[]>({
  type: 'array',
  minItems: 1,
  maxItems: 10,
  'x-repeats': true,
  items: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]{0,39}:',
    maxLength: 2_041,
    examples: ['cost_center:4711'],
  },
  description: 'a custom field and its value, `key:value`; the first colon ends the key. Repeatable: all must match.',
})
