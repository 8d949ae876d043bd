import Type from 'typebox'
import { closedObject, Line } from '../core/endpoint.ts'
import { FINDING_SEVERITIES } from '../findings/finding-fields.ts'

/** Tokens of `fileNamePattern`. */
export const FILE_NAME_TOKENS = ['client', 'engagement', 'title', 'kind', 'version', 'date', 'language'] as const

export const Color = Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, examples: ['#1f4fd8'] })

export const SeverityNames = Type.Partial(
  closedObject(
    Object.fromEntries(FINDING_SEVERITIES.map((severity) => [severity, Line(40)])) as Record<
      (typeof FINDING_SEVERITIES)[number],
      ReturnType<typeof Line>
    >,
  ),
  { additionalProperties: false },
)
export const SeverityColors = Type.Partial(
  closedObject(
    Object.fromEntries(FINDING_SEVERITIES.map((severity) => [severity, Color])) as Record<
      (typeof FINDING_SEVERITIES)[number],
      typeof Color
    >,
  ),
  { additionalProperties: false },
)

/** A name for files, without code: only these tokens are replaced. */
export const FileNamePattern = Line(200, {
  examples: ['{client} {title} {version}'],
  description: `tokens: ${FILE_NAME_TOKENS.map((token) => `{${token}}`).join(', ')}`,
})
