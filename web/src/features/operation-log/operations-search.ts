import { OPERATION_KINDS } from '@sortie/contract/inventory/operation-log.ts'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { isTime } from '../../ui/values/moments.ts'

export type OperationsSearch = ReturnType<typeof operationsSearch>

/** Search params of the operation log: question, order, preview, and the dialog that adds an entry. */
export const operationsSearch = (raw: Raw) => {
  const at = text(raw.at)
  return definedParams({
    address: text(raw.address),
    at: at !== undefined && isTime(at) ? at : undefined,
    kind: word(OPERATION_KINDS, raw.kind),
    scanId: text(raw.scanId),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    write: flag(raw.write),
  })
}
