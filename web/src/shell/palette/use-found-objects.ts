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

interface FoundObjects {
  /** By type; empty while the user types or if the response belongs to an earlier text. */
  found: PaletteCommand[]
  /** Hits for this text may still arrive. */
  isWaiting: boolean
}

/** Server hits for the text. */
export const useFoundObjects = (text: string): FoundObjects => {
  const router = useRouter()
  const organization = useMaybeOrganization()
  const [asked] = useDebouncedValue(text, QUIET_MS)
  const isSearched = organization !== undefined && text.length >= MIN_LENGTH
  const { data, isPending, isError } = useQuery({
    queryKey: [organization?.id ?? null, 'search', 'palette', asked],
    queryFn: async ({ signal }) => {
      const { findObjects } = await loadPart(() => import('./found-objects.ts'))
      return organization ? findObjects(organization, asked.slice(0, MAX_LENGTH), signal) : []
    },
    enabled: isSearched && asked === text,
  })
  if (asked !== text) return { found: [], isWaiting: isSearched }
  const found = (data ?? []).map(({ address, ...command }) => ({
    ...command,
    run: () => void router.navigate(address),
  }))
  return { found, isWaiting: isSearched && isPending && !isError }
}
