import { createRoute } from '@tanstack/react-router'
import { definedParams, type Raw, text, word } from '../../search.ts'
import { engagement } from '../../shell/routing/parents.ts'
import { TRASH_KINDS } from './kinds.ts'

export const trash = createRoute({
  getParentRoute: () => engagement,
  path: '/trash',
  validateSearch: (raw: Raw) => definedParams({ kind: word(TRASH_KINDS, raw.kind), q: text(raw.q) }),
})
