import Type from 'typebox'
import { closedObject, Id, Line, Nullable, NullableString, OneOf } from '../core/endpoint.ts'

/** Replaces every occurrence of a secret. */
export const MASK = '••••'

/** Texts with variables: stored as typed, and validated after substitution. */
const Template = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

const Name = Template(1_000)
const Value = Template(16_384)
/** Maximum length of a body, in characters. */
export const MAX_BODY_TEXT = 1_000_000

const Pair = closedObject({ name: Name, value: Value, enabled: Type.Boolean() })

export const BODY_MODES = ['none', 'raw', 'json', 'form', 'multipart', 'file'] as const

/** The server checks which fields a mode allows: `text` for `json`, `parts` for `multipart`. */
export const RequestBody = closedObject({
  mode: OneOf(BODY_MODES),
  text: Type.Optional(Template(MAX_BODY_TEXT, { description: 'of `raw` and `json`' })),
  mediaType: Type.Optional(Template(200, { description: 'of `raw` and `file`' })),
  fields: Type.Optional(Type.Array(Pair, { maxItems: 500, description: 'of `form`' })),
  parts: Type.Optional(
    Type.Array(
      closedObject({
        name: Name,
        value: Type.Optional(Template(MAX_BODY_TEXT)),
        fileId: Type.Optional(Id('fil', 'a file of this request, in place of `value`')),
        fileName: Type.Optional(Template(255)),
        mediaType: Type.Optional(Template(200)),
        enabled: Type.Boolean(),
      }),
      { maxItems: 100, description: 'of `multipart`' },
    ),
  ),
  fileId: Type.Optional(Id('fil', 'of `file`: a file of this request')),
})

export const AUTH_TYPES = ['inherit', 'none', 'basic', 'bearer', 'header', 'query'] as const

const Secret = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 16_384,
      description: `${description}: a secret unless it holds a variable; answered as \`null\`, and \`null\` keeps what is stored`,
    }),
  )

/** `inherit` uses that of the folder, or of its parent folders; the top level has none. */
export const Auth = closedObject({
  type: OneOf(AUTH_TYPES),
  username: Type.Optional(Template(1_000, { description: 'of `basic`' })),
  password: Secret('of `basic`'),
  token: Secret('of `bearer`'),
  name: Type.Optional(Template(200, { description: 'of `header` and `query`' })),
  value: Secret('of `header` and `query`'),
  isSet: Type.Optional(
    Type.Boolean({ description: 'whether there is a password, token or value; ignored in requests' }),
  ),
})

/** The only hosts that receive the secrets of an environment or a folder. */
export const SecretHosts = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', minLength: 1, maxLength: 255 },
  minItems: 1,
  maxItems: 50,
  description:
    'the only hosts that its secrets are sent to: names, addresses, or `*.` before a name for all below it; a proxy counts as a host. `null`: any host that a request may reach',
  examples: [['api.example.com', '*.test.example.com']],
})

export const RequestOptions = closedObject({
  timeoutMs: Type.Integer({ minimum: 1, maximum: 120_000, description: 'for all hops and the body together' }),
  followRedirects: OneOf(['no', 'same-host', 'yes'], { description: 'the host is the name without the port' }),
  maxRedirects: Type.Integer({ minimum: 0, maximum: 50 }),
  verifyTls: Type.Boolean(),
  httpVersion: OneOf(['auto', '1.1']),
})

export const DEFAULT_OPTIONS = {
  timeoutMs: 30_000,
  followRedirects: 'no',
  maxRedirects: 10,
  verifyTls: true,
  httpVersion: 'auto',
} as const

/** Options in a request body: omitted ones keep their value, or get the default in a new request. */
export const RequestOptionsChange = closedObject(
  Object.fromEntries(
    Object.entries(RequestOptions.properties).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as {
    [K in keyof typeof RequestOptions.properties]: Type.TOptional<(typeof RequestOptions.properties)[K]>
  },
)

/** A variable's name, as written between the braces. */
export const VARIABLE_NAME = '[A-Za-z_][A-Za-z0-9_.-]{0,63}'
const VariableName = Type.String({ pattern: `^${VARIABLE_NAME}$`, maxLength: 64, examples: ['token'] })

/** Characters of a regular expression. */
export const MAX_EXPRESSION = 1_000

const Path = Type.String({
  maxLength: MAX_EXPRESSION,
  description: 'a JSONPath (RFC 9535), the name of a header, or a regular expression',
})

export const Capture = closedObject({
  variable: VariableName,
  from: OneOf(['json', 'header', 'status', 'regex']),
  path: Type.Optional(Path),
  keep: Type.Optional(
    Type.Boolean({
      description:
        'also store the value in the environment of the execution, for later ones. A secret stays a secret; so does a value that contains one. Not stored in an environment of the organization that an engagement uses, which other engagements share',
    }),
  ),
})

const AssertionValue = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  maxLength: 10_000,
  description: `for \`matches\` a regular expression of at most ${MAX_EXPRESSION.toLocaleString('en')} characters`,
})

const assertion = {
  subject: OneOf(['status', 'header', 'json', 'body', 'time']),
  path: Type.Optional(Path),
  operator: OneOf(['equals', 'not_equals', 'contains', 'matches', 'exists', 'less_than', 'greater_than']),
  value: Type.Optional(AssertionValue),
}

export const Assertion = closedObject(assertion)

export const AssertionResult = closedObject({
  ...assertion,
  passed: Type.Boolean(),
  actual: Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'number', 'boolean', 'null'],
    description: 'what was found, masked, at most 1,000 characters; `null` where there was nothing',
  }),
})

/** The fields of a request that are sent, saved or not. */
export const requestFields = {
  method: Type.String({
    minLength: 1,
    maxLength: 32,
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
    examples: ['GET'],
    description: 'any token except `CONNECT`',
  }),
  url: Template(16_384, { minLength: 1, examples: ['https://{{host}}/api/users'] }),
  query: Type.Array(Pair, { maxItems: 200 }),
  headers: Type.Array(Pair, { maxItems: 200 }),
  body: RequestBody,
  auth: Auth,
  captures: Type.Array(Capture, { maxItems: 50 }),
  assertions: Type.Array(Assertion, { maxItems: 50 }),
}

/** The fields in a request body: all except the URL have a default. */
export const requestInput = {
  method: Type.Optional(requestFields.method),
  url: requestFields.url,
  query: Type.Optional(requestFields.query),
  headers: Type.Optional(requestFields.headers),
  body: Type.Optional(requestFields.body),
  auth: Type.Optional(requestFields.auth),
  options: Type.Optional(RequestOptionsChange),
  captures: Type.Optional(requestFields.captures),
  assertions: Type.Optional(requestFields.assertions),
}

/** Enough for long bodies, and for 200 headers with their names. */
export const REQUEST_BODY_LIMITS = { bytes: 4_194_304, keys: 10_000 } as const

/** Values by the name of a variable. */
export const VariableValues = Type.Unsafe<Record<string, string>>({
  type: 'object',
  patternProperties: { [`^${VARIABLE_NAME}$`]: { type: 'string', maxLength: 16_384 } },
  additionalProperties: false,
  maxProperties: 200,
  description: 'variables of this execution; they override those of the environment',
})

export const EngagementId = NullableString('its engagement; null: it belongs to the organization')
/** In a body: null or omitted means the organization. */
export const EngagementIdInput = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: '^eng_[0-9a-z]{26}$',
    maxLength: 30,
    description: 'null: it belongs to the organization',
  }),
)

export const FolderIdInput = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^fld_[0-9a-z]{26}$', maxLength: 30, description }),
  )

/** In a body: the reason for sending without an engagement. */
export const OverrideInput = Type.Optional(
  closedObject(
    { reason: Line(500, { examples: ['Check of the proxy before the engagement begins'] }) },
    {
      description: 'needed where it is sent without an engagement; for the owner and admins, in the web interface only',
    },
  ),
)

export const Override = Nullable(
  { reason: Type.String() },
  'why it was sent without an engagement; null where it has one',
)

export const WITHOUT_ENGAGEMENT =
  'Without an engagement there are no rules and hours: the owner and admins may send such requests in the web interface, with `override` (403 for members and keys, 422 without it). It is in the operation log of the organization.'

export const STALE = 'Someone else changed this in the meantime. Reload it, then repeat the change.'
