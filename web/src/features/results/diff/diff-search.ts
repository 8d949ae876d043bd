import { RESULT_KINDS } from '@sortie/contract/core/values.ts'
import { type Raw, definedParams, text, word } from '../../../search.ts'
import { isMoment } from '../../../ui/values/moments.ts'

const moment = (value: unknown): string | undefined => {
  const given = text(value)
  return given !== undefined && isMoment(given) ? given : undefined
}

/** Search params of the diff: two moments, kind and preview. */
export const diffSearch = (raw: Raw) =>
  definedParams({
    from: moment(raw.from),
    to: moment(raw.to),
    kind: word(RESULT_KINDS, raw.kind),
    peek: text(raw.peek),
  })
