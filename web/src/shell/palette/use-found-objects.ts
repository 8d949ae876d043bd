import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { loadPart } from '../../ui/load-part.ts'
import { useMaybeOrganization } from '../context/organization.tsx'
import type { PaletteCommand } from './commands.tsx'

const QUIET_MS = 200
/** A single letter matches almost everything. */
const MIN_LENGTH = 2
const MAX_LENGTH = 200

/** Server hits for the text, by type; empty while the user types or if the response belongs to an earlier text. */
export const useFoundObjects = (text: string): PaletteCommand[] => {
  const router = useRouter()
  const organization = useMaybeOrganization()
  const [asked] = useDebouncedValue(text, QUIET_MS)
  const { data } = useQuery({
    queryKey: [organization?.id ?? null, 'search', 'palette', asked],
    queryFn: async ({ signal }) => {
      const { findObjects } = await loadPart(() => import('./found-objects.ts'))
      return organization ? findObjects(organization, asked.slice(0, MAX_LENGTH), signal) : []
    },
    enabled: organization !== undefined && asked === text && asked.length >= MIN_LENGTH,
  })
  if (asked !== text) return []
  return (data ?? []).map(({ address, ...command }) => ({ ...command, run: () => void router.navigate(address) }))
}
