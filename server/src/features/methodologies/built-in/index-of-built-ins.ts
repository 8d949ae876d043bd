import type { BuiltIn } from './built-in.ts'
import { cloud } from './cloud.ts'
import { externalNetwork } from './external-network.ts'
import { wstg } from './wstg/wstg.ts'

/** Before every organization's own methodologies: the ids of built-in ones sort first. */
const SINCE = '2026-11-22T00:00:00.000Z'
const SUFFIX_LENGTH = 26

const rowOf = ({ slug, name, description, version, items }: BuiltIn) => ({
  id: `mth_${slug.padStart(SUFFIX_LENGTH, '0')}`,
  name,
  description,
  version,
  items,
  item_count: items.length,
  built_in: true,
  created_at: SINCE,
  updated_at: SINCE,
})

/** Methodologies that are part of the product, as rows like those of organizations. */
export const BUILT_INS = [wstg, externalNetwork, cloud].map(rowOf)
