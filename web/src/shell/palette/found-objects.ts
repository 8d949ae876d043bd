import { SEARCH_TYPES } from '@sortie/contract/core/search.ts'
import { call } from '../../api/api.ts'
import { objectAddress, PLURALS, SINGULARS } from '../../domain/objects.ts'
import {
  type Icon,
  IconArrowsExchange,
  IconBook,
  IconBooks,
  IconFileText,
  IconFlag,
  IconListCheck,
  IconRefresh,
  IconTarget,
} from '../../ui/icons.tsx'
import { IconBug, IconClipboardList } from '../../ui/page-icons.tsx'
import type { OwnOrganization } from '../context/organization.tsx'
import type { PaletteCommand } from './commands.tsx'

const MAX_OF_TYPE = 5

const ICONS: Readonly<Record<(typeof SEARCH_TYPES)[number], Icon>> = {
  engagement: IconClipboardList,
  page: IconBook,
  target: IconTarget,
  task: IconListCheck,
  result: IconBug,
  request: IconArrowsExchange,
  finding: IconFlag,
  library_entry: IconBooks,
  retest: IconRefresh,
  report: IconFileText,
}

export interface FoundObject extends Omit<PaletteCommand, 'run'> {
  address: ReturnType<typeof objectAddress>
}

/** Search hits of the server, best of each type. @throws what `call` throws */
export const findObjects = async (
  { id, slug }: OwnOrganization,
  q: string,
  signal: AbortSignal,
): Promise<FoundObject[]> => {
  const { data } = await call(id, 'search', { query: { q } }, { signal })
  return SEARCH_TYPES.flatMap((type) =>
    data
      .filter((hit) => hit.type === type)
      .slice(0, MAX_OF_TYPE)
      .map((hit) => ({
        id: hit.id,
        label: hit.title,
        group: SINGULARS[type],
        chapter: PLURALS[type],
        icon: ICONS[type],
        address: objectAddress(slug, hit),
      })),
  )
}
